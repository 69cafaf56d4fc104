"""Blocking posts over connections that are kept, for many threads at once: `urllib3`, with one deadline a call."""

from __future__ import annotations

import json
import threading
import time
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from urllib3 import BaseHTTPResponse, PoolManager, ProxyManager, Timeout, make_headers
from urllib3.exceptions import HTTPError, NewConnectionError, ReadTimeoutError
from urllib3.exceptions import TimeoutError as ConnectTimeout

from reflact.errors import BackendError, ConfigError
from reflact.llm.complaints import causes
from reflact.llm.http.logs import without_queries
from reflact.llm.http.report import Reporter

CONNECT_TIMEOUT_S = 10.0
NOTHING: Mapping[str, str] = {}
PIECE = 64 * 1024

without_queries("urllib3.connectionpool")


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: the status, the body, and for a failure the headers, with names in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def ok(self) -> bool:
        """Whether the server took the call."""
        return 200 <= self.status < 300

    def json(self) -> Any:
        """Return the body as JSON data, or as a text where it is none."""
        try:
            return json.loads(self.body)
        except ValueError:
            return self.body.decode("utf-8", "replace")


class Poster:
    """Posts JSON for many threads at once; *connections* bounds how many are open, who comes later waits unhurried.

    One call may take `report.timeout_s` from when its turn has come. *proxy* is a proxy's address, or empty.
    Redirections are not followed: they would carry the key to wherever the server says.
    """

    def __init__(self, report: Reporter, *, connections: int, proxy: str = "") -> None:
        self._report = report
        self._room = threading.BoundedSemaphore(connections)
        self._pool = _pool(connections, proxy)
        self._finalizer = weakref.finalize(self, self._pool.clear)

    def post(self, url: str, body: Mapping[str, Any], headers: Mapping[str, str]) -> Answer:
        """Return the answer to *body*, whatever its status. Raises `BackendError` when there is none."""
        sent = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
        self._refuse_odd(headers, url)
        with self._room:
            return self._exchange(url, sent, headers, time.monotonic() + self._report.timeout_s)

    def close(self) -> None:
        """Close the connections; what is under way comes to its end."""
        self._finalizer()

    def _exchange(self, url: str, body: bytes, headers: Mapping[str, str], deadline: float) -> Answer:
        limit_s = self._report.timeout_s
        timeout = Timeout(connect=min(CONNECT_TIMEOUT_S, limit_s), read=limit_s)
        try:
            response = self._pool.request(
                "POST",
                url,
                body=body,
                headers=headers,
                timeout=timeout,
                retries=False,
                redirect=False,
                preload_content=False,
            )
            return _read(response, deadline)
        except (ReadTimeoutError, TimeoutError):
            raise self._report.late() from None
        except NewConnectionError as error:
            raise self._unreached(error) from None
        except ConnectTimeout:
            raise self._report.unreached(f"no connection within {timeout.connect_timeout:g} s") from None
        except (HTTPError, OSError) as error:
            raise self._unreached(error) from None

    def _refuse_odd(self, headers: Mapping[str, str], url: str) -> None:
        told = "".join((url, *headers.keys(), *headers.values()))
        if not told.isascii() or not told.isprintable():
            what = "a header, or the address, has a line break or a letter that is not ASCII."
            raise self._report.error(what, "Check the key and `headers`.", "bad_request")

    def _unreached(self, error: BaseException) -> BackendError:
        last = list(causes(error))[-1]
        return self._report.unreached(str(last) or type(last).__name__)


def _pool(connections: int, proxy: str) -> PoolManager:
    """Return the connections, through *proxy* where there is one. Raises `ConfigError` for one of an unknown kind."""
    if not proxy:
        return PoolManager(maxsize=connections)
    parts = urlsplit(proxy)
    if parts.scheme not in ("http", "https"):
        raise ConfigError(f"a proxy of kind {parts.scheme} is not supported: use one at http://…")
    credentials = f"{parts.username}:{parts.password or ''}" if parts.username else None
    address = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
    return ProxyManager(address, maxsize=connections, proxy_headers=make_headers(proxy_basic_auth=credentials))


def _read(response: BaseHTTPResponse, deadline: float) -> Answer:
    """Return all of *response*. Raises `HTTPError` when it breaks off, and `TimeoutError` at the *deadline*."""
    pieces = []
    try:
        while piece := response.read1(PIECE, decode_content=True):
            pieces.append(piece)
            if time.monotonic() > deadline:
                raise TimeoutError
    except BaseException:  # the rest of the answer must not be read as the next one's
        response.close()
        raise
    response.release_conn()
    headers = {name.lower(): text for name, text in response.headers.items()} if response.status >= 400 else NOTHING
    return Answer(response.status, headers, b"".join(pieces))

"""One page of the public web: bounded in time and size, and in where a redirect may lead. No cookies, no proxies."""

import http.client
import json
import re
import socket
import ssl
import threading
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from urllib.parse import urljoin

from reflact.kit.web.address import Refused, Resolve, Target, resolved, target
from reflact.kit.web.readable import readable

KINDS = ("text/html", "application/xhtml+xml", "text/plain", "application/json")
_HEADERS = {"User-Agent": "reflact (a research tool)", "Accept": ", ".join(KINDS), "Accept-Encoding": "identity, gzip"}
_REDIRECTS = (301, 302, 303, 307, 308)
_CHUNK = 65536


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What was found at `url`, the last one after redirects: a title, a readable text, and when that was (UTC)."""

    url: str
    title: str
    text: str
    retrieved: str
    truncated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetcher:
    """Fetches pages. *seconds* is for all of one page; *most* are bytes, before and after decompression."""

    seconds: float = 20.0
    most: int = 2_000_000
    redirects: int = 5
    own_hosts: frozenset[str] = frozenset()
    resolve: Resolve = field(default=resolved, repr=False)

    def __call__(self, url: str) -> Page:
        """Return the page at *url*. Raises `Refused` for one that is not to be had, or not to be fetched."""
        ends = time.monotonic() + self.seconds
        where = url.strip()
        for _ in range(self.redirects + 1):
            aim = target(where, own_hosts=self.own_hosts, resolve=self.resolve)
            with self._answer(aim, ends) as answer:
                leads = answer.headers.get("Location") if answer.status in _REDIRECTS else None
                if leads is None:
                    return self._page(where, answer)
            where = _joined(where, leads)
        raise Refused(f"more than {self.redirects} redirects")

    @contextmanager
    def _answer(self, aim: Target, ends: float) -> Iterator[http.client.HTTPResponse]:
        """Ask *aim* at the address that was checked; the connection is cut at *ends*, whatever the server does."""
        late = threading.Event()
        try:
            with _connected(aim, ends) as connected:
                cut = threading.Timer(max(ends - time.monotonic(), 0.01), _cut, (connected, late))
                cut.daemon = True
                cut.start()
                try:
                    yield _asked(connected, aim)
                finally:
                    cut.cancel()
            if late.is_set():
                raise TimeoutError
        except (OSError, http.client.HTTPException, ValueError) as error:
            if late.is_set() or isinstance(error, TimeoutError):
                raise Refused(f"{aim.host} took longer than {self.seconds:g} s") from error
            raise Refused(f"{aim.host} gave no page ({type(error).__name__}: {error})") from error

    def _page(self, url: str, answer: http.client.HTTPResponse) -> Page:
        if answer.status != 200:
            raise Refused(f"the server answered {answer.status} {answer.reason}".rstrip())
        kind = answer.headers.get_content_type()
        if kind not in KINDS:
            raise Refused(f"a page of the type {kind} cannot be read; only {', '.join(KINDS)}")
        body, truncated = self._body(answer)
        text = _decoded(body, answer.headers.get_content_charset() or "utf-8")
        title = ""
        if kind in KINDS[:2]:
            title, text = readable(text)
        elif kind == "application/json":
            text = _laid_out(text)
        retrieved = datetime.now(UTC).isoformat(timespec="seconds")
        return Page(url=url, title=title, text=text, retrieved=retrieved, truncated=truncated)

    def _body(self, answer: http.client.HTTPResponse) -> tuple[bytes, bool]:
        """Return the first `most` bytes of the body, decompressed, and whether there was more."""
        coding = answer.headers.get("Content-Encoding", "identity").strip().lower()
        if coding not in ("identity", "", "gzip", "deflate"):
            raise Refused(f"the page is compressed with {coding}")
        inflate = zlib.decompressobj(wbits=47) if coding in ("gzip", "deflate") else None
        body, read = bytearray(), 0
        while len(body) <= self.most and read <= self.most:
            chunk = answer.read1(_CHUNK)
            if not chunk:
                return bytes(body), False
            read += len(chunk)
            try:
                body += inflate.decompress(chunk, self.most + 1 - len(body)) if inflate else chunk
            except zlib.error as error:
                raise Refused(f"the page is not {coding}, as the server says") from error
        return bytes(body[: self.most]), True


def _connected(aim: Target, ends: float) -> socket.socket:
    remaining = ends - time.monotonic()
    if remaining <= 0:
        raise TimeoutError
    plain = socket.create_connection((aim.address, aim.port), timeout=remaining)
    if aim.scheme == "http":
        return plain
    context = ssl.create_default_context()
    return context.wrap_socket(plain, server_hostname=aim.host, do_handshake_on_connect=False)


def _asked(connected: socket.socket, aim: Target) -> http.client.HTTPResponse:
    kind = http.client.HTTPSConnection if isinstance(connected, ssl.SSLSocket) else http.client.HTTPConnection
    if isinstance(connected, ssl.SSLSocket):
        connected.do_handshake()
    connection = kind(aim.host, aim.port)
    connection.sock = connected
    connection.request("GET", aim.path, headers=_HEADERS)
    return connection.getresponse()


def _cut(connected: socket.socket, late: threading.Event) -> None:
    """End *connected* below its encryption, which another thread is busy with."""
    late.set()
    with suppress(OSError):
        socket.socket.shutdown(connected, socket.SHUT_RDWR)


def _joined(where: str, leads: str) -> str:
    try:
        return urljoin(where, leads)
    except ValueError as error:
        raise Refused(f"not a URL: {error}") from error


def _decoded(body: bytes, charset: str) -> str:
    try:
        return body.decode(charset, "replace")
    except LookupError:
        return body.decode("utf-8", "replace")


def _laid_out(text: str) -> str:
    """Return JSON on several lines, as far as it can be read, so that a part of it is readable."""
    try:
        laid_out = json.dumps(json.loads(text), ensure_ascii=False, indent=1)
    except (ValueError, RecursionError):
        return text
    return re.sub(r"\n +", "\n ", laid_out)

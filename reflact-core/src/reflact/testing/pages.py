"""A small web on the loopback, for tests of what fetches pages or posts searches: each path has its behaviour."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request as it came; header names are in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """An answer. Between two *parts* of the body the server waits *pause_s*; without a length it ends by closing."""

    parts: tuple[bytes, ...] = ()
    status: int = 200
    kind: str = "text/html; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict)
    pause_s: float = 0.0


Answers = Callable[[Asked], Served]


class PageServer:
    """A web server on 127.0.0.1 that says what *answers* returns: `with PageServer(answers) as web: web.url`."""

    def __init__(self, answers: Answers) -> None:
        self.asked: list[Asked] = []
        ended = self._ended = threading.Event()
        asked = self.asked

        class Connection(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.0"

            def _serve(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                headers = {name.lower(): value for name, value in self.headers.items()}
                request = Asked(method=self.command, path=self.path, headers=headers, body=body)
                asked.append(request)
                answer = answers(request)
                self.send_response(answer.status)
                self.send_header("content-type", answer.kind)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                try:
                    for part in answer.parts:
                        self.wfile.write(part)
                        self.wfile.flush()
                        ended.wait(answer.pause_s)
                except OSError:
                    self.close_connection = True

            do_GET = do_POST = _serve  # noqa: N815

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Connection)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    @property
    def host(self) -> str:
        """Host and port, as `own_hosts` wants them."""
        return f"127.0.0.1:{self._server.server_address[1]}"

    @property
    def url(self) -> str:
        """The address, without a trailing slash."""
        return f"http://{self.host}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

"""The fake server as tests use it: a context manager around an event loop in a thread of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable
from concurrent.futures import Future
from types import TracebackType
from typing import Self

from reflact.testing.server.app import ScriptedApp
from reflact.testing.server.http import serve_connection
from reflact.testing.server.script import FakeRequest, Script

BACKLOG = 1024


class FakeModelServer:
    """A model endpoint on 127.0.0.1 whose answers are a Python function.

        with FakeModelServer(lambda request: request.text.upper()) as server:
            ...  # point an SDK at server.url or at server.url + "/v1"

    It speaks Chat Completions, Responses and Messages, whole and as streams, also under the paths of Azure OpenAI, and
    answers what clients ask besides (`GET /models`, `HEAD`, `count_tokens`).

    *script* gets each call, in order of arrival and never two at once, so it may keep state; it must not block
    (`FakeReply.latency_s` waits without blocking). *refuse* names parameters to answer with a 400, `"temperature"`
    or `"output_config.effort"` say, or `"response_format:json_schema"` for one type of a typed one. With *key*, other
    keys get a 401. The log holds the last *keep* calls, refused ones too. What the script raises is raised again when
    the block ends.
    """

    def __init__(
        self, script: Script, *, refuse: Iterable[str] = (), key: str = "", port: int = 0, keep: int = 10_000
    ) -> None:
        self._app = ScriptedApp(script, refuse=refuse, key=key, keep=keep)
        self._port = port
        self._loop = asyncio.new_event_loop()
        self._bound: Future[int] = Future()
        self._connections: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
        self._thread = threading.Thread(target=self._run, name="fake-model-server", daemon=True)

    @property
    def url(self) -> str:
        """The address, without a trailing slash."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def requests(self) -> tuple[FakeRequest, ...]:
        """The calls so far, in order of arrival."""
        return tuple(self._app.requests.copy())

    @property
    def peak(self) -> int:
        """The highest number of calls that were being answered at once."""
        return self._app.peak

    def __enter__(self) -> Self:
        self._thread.start()
        self._port = self._bound.result()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        if self._app.failures:
            if error is None:
                raise self._app.failures[0]
            error.add_note(f"the script of the fake server had failed: {self._app.failures[0]!r}")

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            server = self._loop.run_until_complete(
                asyncio.start_server(self._connected, "127.0.0.1", self._port, backlog=BACKLOG)
            )
        except OSError as error:
            self._bound.set_exception(error)
            self._loop.close()
            return
        self._bound.set_result(server.sockets[0].getsockname()[1])
        self._loop.run_forever()
        server.close()
        self._loop.run_until_complete(self._hang_up())
        self._loop.close()

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = self._loop.create_task(serve_connection(reader, writer, self._app))
        self._connections[task] = writer
        task.add_done_callback(self._connections.pop)

    async def _hang_up(self) -> None:
        for task, writer in self._connections.items():
            task.cancel()
            writer.transport.abort()
        await asyncio.gather(*self._connections, return_exceptions=True)
        await asyncio.sleep(0)  # lets transports that were closing already let go of their sockets

"""A server on the loopback that stands between Claude Code and the models, so that no key has to leave this process.

Claude Code hands its whole environment on to the commands a student runs. What it is given instead of the key is a
token that is good for one job, here, and for model calls only.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from secrets import token_hex

from aiohttp import ClientError, ClientSession, ClientTimeout, DummyCookieJar, TCPConnector, web
from reflact.llm.complaints import causes
from reflact.llm.http import is_loopback
from reflact.llm.loop import LoopThread

PATHS = ("/v1/messages", "/v1/messages/count_tokens")
CONNECT_S = 10.0
LARGEST = 256 * 1024 * 1024
"""Bytes of a request's body at most; the API itself takes far less."""
_OURS = frozenset(
    {"connection", "content-length", "date", "expect", "host", "keep-alive", "server", "te", "trailer"}
) | {
    "transfer-encoding",
    "upgrade",
}
"""Headers that belong to one connection, and are not passed on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loan:
    """What Claude Code gets: an address, and a token that stands for the key there."""

    url: str
    token: str = field(repr=False)


class Forwarder:
    """Passes model calls on to `base_url`, which is called *shown* in errors, with the key in the place of a token."""

    def __init__(self, base_url: str, *, shown: str = "") -> None:
        self._relay = _Relay(base_url, shown or base_url)
        self._lock = threading.Lock()
        self._loop: LoopThread | None = None
        self._port = 0

    @contextmanager
    def lend(self, secret: str) -> Iterator[Loan]:
        """Lend a token that stands for *secret* until the end of the block."""
        token = f"sk-ant-job-{token_hex(24)}"
        url = self._started()
        self._relay.secrets[token] = secret
        try:
            yield Loan(url=url, token=token)
        finally:
            del self._relay.secrets[token]

    def _started(self) -> str:
        with self._lock:
            if self._loop is None:
                self._loop = LoopThread("claude-code-forwarder")
                self._port = self._loop.run(self._relay.start())
                weakref.finalize(self, _close, self._loop, self._relay)
        return f"http://127.0.0.1:{self._port}"


class _Relay:
    """The part that lives in the event loop."""

    def __init__(self, base_url: str, shown: str) -> None:
        self.secrets: dict[str, str] = {}
        self._base_url = base_url
        self._shown = shown
        self._session: ClientSession | None = None
        self._runner: web.AppRunner | None = None

    async def start(self) -> int:
        """Listen, and return the port."""
        self._session = ClientSession(
            timeout=ClientTimeout(total=None, sock_connect=CONNECT_S),
            connector=TCPConnector(limit=0),
            cookie_jar=DummyCookieJar(),
            auto_decompress=False,
            trust_env=not is_loopback(self._base_url),
        )
        app = web.Application(client_max_size=LARGEST)
        for path in PATHS:
            app.router.add_post(path, self._pass_on)
        self._runner = web.AppRunner(app, access_log=None, handler_cancellation=True)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        return int(self._runner.addresses[0][1])

    async def stop(self) -> None:
        """Stop listening."""
        if self._runner is not None:
            await self._runner.cleanup()
        if self._session is not None:
            await self._session.close()

    async def _pass_on(self, request: web.Request) -> web.StreamResponse:
        token = request.headers.get("x-api-key") or request.headers.get("authorization", "").removeprefix("Bearer ")
        if token not in self.secrets or self._session is None:
            return _complaint(401, "authentication_error", "this token is not, or no longer, good")
        headers = {
            name: value.replace(token, self.secrets[token] or "none")
            for name, value in request.headers.items()
            if name.lower() not in _OURS
        }
        started: web.StreamResponse | None = None
        try:
            async with self._session.post(
                f"{self._base_url}{request.path_qs}",
                headers=headers,
                data=await request.read(),
                allow_redirects=False,
                skip_auto_headers=("accept-encoding", "user-agent"),
            ) as answer:
                kept = {name: value for name, value in answer.headers.items() if name.lower() not in _OURS}
                response = web.StreamResponse(status=answer.status, headers=kept)
                await response.prepare(request)
                started = response
                async for chunk in answer.content.iter_any():
                    await response.write(chunk)
                await response.write_eof()
                return response
        except (ClientError, TimeoutError) as error:
            if started is not None:
                _hang_up(request)
                return started
            why = str(list(causes(error))[-1]) or type(error).__name__
            return _complaint(502, "api_error", f"no reply from {self._shown}: {why}")


def _hang_up(request: web.Request) -> None:
    """Break the connection off, as the server behind it did: a half answer must not pass for a whole one."""
    if request.transport is not None:
        request.transport.close()


def _complaint(status: int, kind: str, message: str) -> web.Response:
    return web.json_response({"type": "error", "error": {"type": kind, "message": message}}, status=status)


def _close(loop: LoopThread, relay: _Relay) -> None:
    loop.close(relay.stop())

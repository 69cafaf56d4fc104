"""From an HTTP request to an HTTP response: who may call, what is refused, what the script says, what is logged."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any

from reflact.testing.server import chat_completions, messages
from reflact.testing.server.http import HttpRequest, HttpResponse
from reflact.testing.server.protocol import WireProtocol
from reflact.testing.server.script import FakeReply, FakeRequest, Script

PROTOCOLS: tuple[WireProtocol, ...] = (chat_completions, messages)
SECRET_HEADERS = frozenset({"authorization", "api-key", "x-api-key", "cookie", "proxy-authorization"})


class ScriptedApp:
    """The fake server without its sockets. It lives in one event loop and calls the script there, one at a time."""

    def __init__(self, script: Script, *, refuse: Iterable[str], key: str, keep: int) -> None:
        self._script = script
        self._refuse = frozenset(refuse)
        self._key = key
        self._count = 0
        self._busy = 0
        self.requests: deque[FakeRequest] = deque(maxlen=keep)
        self.failures: list[Exception] = []
        self.peak = 0

    async def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the response to *request*."""
        self._busy += 1
        self.peak = max(self.peak, self._busy)
        try:
            return await self._respond(request)
        except Exception as error:  # the script is the test's own code: its failure belongs to the test, not to a log
            self.failures.append(error)
            told = f"the fake server failed: {type(error).__name__}: {error}"
            return _json(chat_completions.error(FakeReply(status=400, message=told)), status=400)
        finally:
            self._busy -= 1

    async def _respond(self, request: HttpRequest) -> HttpResponse:
        path = request.path.rstrip("/").removeprefix("/v1")
        if (request.method, path) == ("GET", "/models"):
            return _json({"object": "list", "data": [{"id": "fake-model", "object": "model", "owned_by": "test"}]})
        protocol = next((one for one in PROTOCOLS if path == one.PATH), None)
        if request.method != "POST" or protocol is None:
            lost = FakeReply(status=404, message=f"no such path: {request.method} {request.path}")
            return _json(chat_completions.error(lost), status=404)
        body = json.loads(request.body)
        shown = {name: text for name, text in request.headers.items() if name not in SECRET_HEADERS}
        call = protocol.read(body, headers=shown, index=self._count)
        self._count += 1
        self.requests.append(call)
        said = self._refusal(request.headers, body) or self._script(call)
        return await _enact(protocol, call, FakeReply(text=said) if isinstance(said, str) else said)

    def _refusal(self, headers: Mapping[str, str], body: Mapping[str, Any]) -> FakeReply | None:
        given = headers.get("authorization", "").removeprefix("Bearer ") or headers.get("x-api-key", "")
        if self._key and given != self._key:
            return FakeReply(status=401, code="invalid_api_key", message=f"Incorrect API key provided: {given}")
        for name in sorted(self._refuse):
            field, _, kind = name.partition(":")
            found = _at(body, field)
            if found is not None and (not kind or found["type"] == kind):
                told = f"Unsupported parameter: '{field}' is not supported with this model."
                return FakeReply(status=400, code="unsupported_parameter", param=field, message=told)
        return None


def _at(body: Any, field: str) -> Any:
    """Return what *body* holds at the dotted path *field*; `None` when that is nothing."""
    for name in field.split("."):
        body = body.get(name) if isinstance(body, Mapping) else None
    return body


async def _enact(protocol: WireProtocol, call: FakeRequest, reply: FakeReply) -> HttpResponse:
    if reply.latency_s:
        await asyncio.sleep(reply.latency_s)
    if reply.hang_s:
        await asyncio.sleep(reply.hang_s)
        return HttpResponse(cut=True)
    extra = dict(reply.headers)
    if reply.retry_after is not None:
        extra["retry-after"] = f"{reply.retry_after:g}"
    if reply.status != 200:
        return _json(protocol.error(reply), status=reply.status, headers=extra)
    if reply.bad_json:
        return HttpResponse(parts=(b'{"choices": [oops',), headers=extra)
    if reply.body is not None:
        return _json(reply.body, headers=extra)
    if call.body.get("stream"):
        events = protocol.events(call, reply)
        return HttpResponse(parts=events, media_type="text/event-stream", stream=True, headers=extra, cut=reply.drop)
    return _json(protocol.answer(call, reply), headers=extra, cut=reply.drop)


def _json(body: Any, *, status: int = 200, headers: Mapping[str, str] | None = None, cut: bool = False) -> HttpResponse:
    encoded = json.dumps(body, ensure_ascii=False).encode()
    return HttpResponse(status=status, parts=(encoded,), headers=headers or {}, cut=cut)

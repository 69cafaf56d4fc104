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
from reflact.testing.server.routes import protocol_of, route
from reflact.testing.server.script import FakeReply, FakeRequest, Script


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
        if request.method == "HEAD":
            return HttpResponse()
        path, deployment, amiss = route(request.target)
        if request.method == "GET" and path.startswith("/models"):
            return _json(_models(path.removeprefix("/models").strip("/")))
        if (request.method, path) == ("POST", messages.COUNT_PATH):
            return _json(messages.count(json.loads(request.body)))
        protocol = protocol_of(path)
        if request.method != "POST" or protocol is None or amiss:
            lost = FakeReply(status=404, message=amiss or f"no such path: {request.method} {request.target}")
            return _json(chat_completions.error(lost), status=404)
        call = self._call(request, protocol, deployment)
        self.requests.append(call)
        said = self._refusal(call) or self._script(call)
        return await _enact(protocol, call, FakeReply(text=said) if isinstance(said, str) else said)

    def _call(self, request: HttpRequest, protocol: WireProtocol, deployment: str) -> FakeRequest:
        body = json.loads(request.body)
        said = protocol.read(body)
        self._count += 1
        return FakeRequest(
            model=deployment or str(body.get("model", "")),
            messages=said.messages,
            text=said.text,
            system=said.system,
            results=said.results,
            body=body,
            headers=request.headers,
            api=protocol.API,
            path=request.target,
            index=self._count - 1,
        )

    def _refusal(self, call: FakeRequest) -> FakeReply | None:
        given = _key(call.headers)
        if self._key and given != self._key:
            return FakeReply(status=401, code="invalid_api_key", message=f"Incorrect API key provided: {given}")
        for name in sorted(self._refuse):
            field, _, kind = name.partition(":")
            found = _at(call.body, field)
            if found is not None and (not kind or found["type"] == kind):
                told = f"Unsupported parameter: '{field}' is not supported with this model."
                return FakeReply(status=400, code="unsupported_parameter", param=field, message=told)
        return None


def _key(headers: Mapping[str, str]) -> str:
    bearer = headers.get("authorization", "").removeprefix("Bearer ")
    return bearer or headers.get("api-key", "") or headers.get("x-api-key", "")


def _models(name: str) -> dict[str, Any]:
    model = {"id": name or "fake-model", "object": "model", "created": 0, "owned_by": "test"}
    return model if name else {"object": "list", "data": [model], "has_more": False}


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
    if reply.status != 200 and not reply.late:
        return _json(protocol.error(reply), status=reply.status, headers=extra)
    if reply.bad_json:
        return HttpResponse(parts=(b'{"choices": [oops',), headers=extra)
    if reply.body is not None:
        return _json(reply.body, headers=extra)
    if call.body.get("stream"):
        events = protocol.events(call, reply)
        return HttpResponse(parts=events, media_type="text/event-stream", stream=True, headers=extra, cut=reply.drop)
    failed = reply.late and protocol.API != "responses"
    return _json(protocol.error(reply) if failed else protocol.answer(call, reply), headers=extra, cut=reply.drop)


def _json(body: Any, *, status: int = 200, headers: Mapping[str, str] | None = None, cut: bool = False) -> HttpResponse:
    encoded = json.dumps(body, ensure_ascii=False).encode()
    return HttpResponse(status=status, parts=(encoded,), headers=headers or {}, cut=cut)

"""The Messages protocol of the fake server: how a call is read and how an answer is written."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from reflact.testing.server import hosted
from reflact.testing.server.counting import after_last, costed, counted, text_in, text_of, tokens
from reflact.testing.server.protocol import Conversation
from reflact.testing.server.script import Api, FakeReply, FakeRequest
from reflact.testing.server.sse import event
from reflact.types import Finish

API: Api = "messages"
PATH = "/messages"
COUNT_PATH = "/messages/count_tokens"

_STOP: Mapping[Finish, str] = {
    "stop": "end_turn",
    "tool_calls": "tool_use",
    "length": "max_tokens",
    "refused": "refusal",
}
_CALLS = frozenset({"tool_use", "server_tool_use"})
_ERROR_TYPE = {
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}


def read(body: Mapping[str, Any]) -> Conversation:
    """Return what *body* says."""
    messages = tuple(body.get("messages") or ())
    user, later = after_last(messages, lambda one: one.get("role") == "user" and not _results(one))
    return Conversation(
        messages=messages,
        text=text_of(user),
        system=text_in(body.get("system") or ""),
        results=tuple(result for message in later for result in _results(message)),
    )


def _results(message: Mapping[str, Any]) -> list[str]:
    content = message.get("content") or ""
    parts = [] if isinstance(content, str) else content
    return [text_of(part) for part in parts if part.get("type") == "tool_result"]


def answer(request: FakeRequest, reply: FakeReply) -> dict[str, Any]:
    """Return the body of a whole answer."""
    said = _envelope(request, content=list(_blocks(request, reply)), stop=_stop(reply))
    return said if reply.usage == "absent" else {**said, "usage": usage_of(request, reply)}


def events(request: FakeRequest, reply: FakeReply) -> tuple[bytes, ...]:
    """Return the same answer, or a failure after a 200, as server-sent events."""
    if reply.late:
        return (event(error(reply), named=True),)
    counts = {} if reply.usage == "absent" else {"usage": usage_of(request, reply)}
    sent: list[dict[str, Any]] = [
        {"type": "message_start", "message": {**_envelope(request, content=[], stop=None), **counts}}
    ]
    for place, block in enumerate(_blocks(request, reply)):
        sent.append({"type": "content_block_start", "index": place, "content_block": {**block, **_emptied(block)}})
        sent += [{"type": "content_block_delta", "index": place, "delta": delta} for delta in _deltas(block)]
        sent.append({"type": "content_block_stop", "index": place})
    sent.append({"type": "message_delta", "delta": {"stop_reason": _stop(reply), "stop_sequence": None}, **counts})
    sent.append({"type": "message_stop"})
    return tuple(event(one, named=True) for one in sent)


def error(reply: FakeReply) -> dict[str, Any]:
    """Return the body of a failure."""
    kind = _ERROR_TYPE.get(reply.status, "api_error" if reply.status >= 500 else "invalid_request_error")
    told: dict[str, Any] = {"type": kind, "message": reply.message or f"the fake server answers {reply.status}"}
    if reply.code:
        told["details"] = {"error_code": reply.code}
    return {"type": "error", "error": told}


def usage_of(request: FakeRequest, reply: FakeReply) -> dict[str, Any]:
    """Return the usage record, in which cached tokens are not part of the input."""
    texts = [request.system, *map(text_of, request.messages)]
    counts = counted(reply, characters=sum(map(len, texts)))
    usage = {
        "input_tokens": counts.prompt - counts.cached,
        "cache_read_input_tokens": counts.cached,
        "cache_creation_input_tokens": 0,
        "output_tokens": counts.completion,
        "output_tokens_details": {"thinking_tokens": counts.reasoning},
    }
    made = {"server_tool_use": {"web_search_requests": len(reply.searches), "web_fetch_requests": 0}}
    return costed({**usage, **(made if reply.searches else {})}, reply)


def count(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer to the question how many tokens *body* has."""
    said = read(body)
    return {"input_tokens": tokens(sum(map(len, [said.system, *map(text_of, said.messages)])))}


def _envelope(request: FakeRequest, *, content: list[dict[str, Any]], stop: str | None) -> dict[str, Any]:
    said: dict[str, Any] = {"id": f"msg_fake_{request.index}", "type": "message", "role": "assistant"}
    return {**said, "model": request.model, "content": content, "stop_reason": stop, "stop_sequence": None}


def _stop(reply: FakeReply) -> str:
    return _STOP["refused" if reply.refusal else reply.ending]


def _blocks(request: FakeRequest, reply: FakeReply) -> Iterator[dict[str, Any]]:
    if reply.reasoning:
        yield {"type": "thinking", "thinking": reply.reasoning, "signature": "fake"}
    yield from hosted.blocks(request, reply)
    if text := reply.text or reply.refusal:
        cited = {"citations": found} if (found := hosted.citations(reply)) else {}
        yield {"type": "text", "text": text, **cited}
    for call in reply.tool_calls:
        yield {"type": "tool_use", "id": call.id, "name": call.name, "input": json.loads(call.arguments)}


def _emptied(block: Mapping[str, Any]) -> dict[str, Any]:
    """Return what of *block* is told in parts, as it is before the first."""
    if block["type"] in _CALLS:
        return {"input": {}}
    if block["type"] == hosted.RESULT:
        return {}
    return {block["type"]: "", **({"citations": []} if "citations" in block else {})}


def _deltas(block: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    if block["type"] == hosted.RESULT:
        return
    if block["type"] in _CALLS:
        yield {"type": "input_json_delta", "partial_json": json.dumps(block["input"], ensure_ascii=False)}
        return
    kind = str(block["type"])
    for start in range(0, len(block[kind]), 40):
        yield {"type": f"{kind}_delta", kind: block[kind][start : start + 40]}
    for one in block.get("citations", ()):
        yield {"type": "citations_delta", "citation": one}

"""The Chat Completions protocol of the fake server: how a call is read and how an answer is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from reflact.testing.server.counting import after_last, costed, counted, text_of
from reflact.testing.server.protocol import Conversation
from reflact.testing.server.script import Api, FakeReply, FakeRequest
from reflact.testing.server.sse import event
from reflact.types import Finish

API: Api = "chat_completions"
PATH = "/chat/completions"

_FINISH: Mapping[Finish, str] = {
    "stop": "stop",
    "tool_calls": "tool_calls",
    "length": "length",
    "refused": "content_filter",
}
_ERROR_TYPE = {401: "authentication_error", 403: "permission_error", 404: "not_found_error", 429: "rate_limit_error"}


def read(body: Mapping[str, Any]) -> Conversation:
    """Return what *body* says."""
    messages = tuple(body.get("messages") or ())
    user, later = after_last(messages, lambda one: one.get("role") == "user")
    systems = [text_of(message) for message in messages if message.get("role") in ("system", "developer")]
    return Conversation(
        messages=messages,
        text=text_of(user),
        system="\n".join(systems),
        results=tuple(text_of(message) for message in later if message.get("role") == "tool"),
    )


def answer(request: FakeRequest, reply: FakeReply) -> dict[str, Any]:
    """Return the body of a whole answer."""
    message: dict[str, Any] = {"role": "assistant", "content": reply.text, "refusal": reply.refusal or None}
    if reply.reasoning:
        message["reasoning_content"] = reply.reasoning
    if reply.tool_calls:
        message["tool_calls"] = _tool_calls(reply)
    choice = {"index": 0, "message": message, "finish_reason": _FINISH[reply.ending]}
    said = {**_envelope(request, "chat.completion"), "choices": [choice]}
    return said if reply.usage == "absent" else {**said, "usage": usage_of(request, reply)}


def events(request: FakeRequest, reply: FakeReply) -> tuple[bytes, ...]:
    """Return the same answer, or a failure after a 200, as server-sent events."""
    if reply.late:
        return (event(error(reply)),)
    head = _envelope(request, "chat.completion.chunk")
    chunks: list[dict[str, Any]] = [
        {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in _deltas(reply)
    ]
    chunks.append({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": _FINISH[reply.ending]}]})
    wanted = (request.body.get("stream_options") or {}).get("include_usage")
    if wanted and reply.usage != "absent":
        chunks.append({**head, "choices": [], "usage": usage_of(request, reply)})
    return (*map(event, chunks), event("[DONE]"))


def error(reply: FakeReply) -> dict[str, Any]:
    """Return the body of a failure."""
    kind = _ERROR_TYPE.get(reply.status, "server_error" if reply.status >= 500 else "invalid_request_error")
    told = reply.message or f"the fake server answers {reply.status}"
    return {"error": {"message": told, "type": kind, "param": reply.param or None, "code": reply.code or None}}


def usage_of(request: FakeRequest, reply: FakeReply) -> dict[str, Any]:
    """Return the usage record, in which cached tokens are part of the prompt."""
    counts = counted(reply, characters=sum(len(text_of(message)) for message in request.messages))
    usage = {
        "prompt_tokens": counts.prompt,
        "completion_tokens": counts.completion,
        "total_tokens": counts.prompt + counts.completion,
        "prompt_tokens_details": {"cached_tokens": counts.cached},
        "completion_tokens_details": {"reasoning_tokens": counts.reasoning},
    }
    return costed(usage, reply)


def _envelope(request: FakeRequest, kind: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-fake-{request.index}", "object": kind, "created": 0, "model": request.model}


def _tool_calls(reply: FakeReply) -> list[dict[str, Any]]:
    return [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
        for call in reply.tool_calls
    ]


def _deltas(reply: FakeReply) -> Iterator[dict[str, Any]]:
    yield {"role": "assistant", "content": ""}
    if reply.reasoning:
        yield {"reasoning_content": reply.reasoning}
    for start in range(0, len(reply.text), 40):
        yield {"content": reply.text[start : start + 40]}
    if reply.refusal:
        yield {"refusal": reply.refusal}
    for place, call in enumerate(_tool_calls(reply)):
        yield {"tool_calls": [{"index": place, **call}]}

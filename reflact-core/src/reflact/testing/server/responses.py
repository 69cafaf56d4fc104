"""The Responses protocol of the fake server: how a call is read and how an answer is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reflact.testing.server import chat_completions, hosted
from reflact.testing.server.counting import after_last, costed, counted, text_in, text_of
from reflact.testing.server.protocol import Conversation
from reflact.testing.server.response_events import events_of, failure_events
from reflact.testing.server.script import Api, FakeReply, FakeRequest
from reflact.types import ToolCall

API: Api = "responses"
PATH = "/responses"
OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output"})

error = chat_completions.error
_INCOMPLETE = {"length": "max_output_tokens", "refused": "content_filter"}


def read(body: Mapping[str, Any]) -> Conversation:
    """Return what *body* says."""
    given = body.get("input") or ()
    items = ({"type": "message", "role": "user", "content": given},) if isinstance(given, str) else tuple(given)
    user, later = after_last(items, lambda one: one.get("role") == "user")
    systems = [text_of(one) for one in items if one.get("role") in ("system", "developer")]
    return Conversation(
        messages=items,
        text=text_of(user),
        system="\n".join(filter(None, [body.get("instructions"), *systems])),
        results=tuple(text_in(one.get("output") or "") for one in later if one.get("type") in OUTPUTS),
    )


def answer(request: FakeRequest, reply: FakeReply) -> dict[str, Any]:
    """Return the body of a whole answer."""
    said: dict[str, Any] = {
        "id": f"resp_fake_{request.index}",
        "object": "response",
        "created_at": 0,
        "model": request.model,
        "status": "completed",
        "error": None,
        "incomplete_details": None,
        "output": list(_items(request, reply)),
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }
    if reply.late:
        failed = {"code": reply.code or "server_error", "message": error(reply)["error"]["message"]}
        return {**said, "status": "failed", "error": failed, "output": []}
    if reason := _INCOMPLETE.get(reply.ending):
        said |= {"status": "incomplete", "incomplete_details": {"reason": reason}}
    return said if reply.usage == "absent" else {**said, "usage": usage_of(request, reply)}


def events(request: FakeRequest, reply: FakeReply) -> tuple[bytes, ...]:
    """Return the same answer, or a failure after a 200, as server-sent events."""
    response = answer(request, reply)
    return tuple(failure_events(response) if reply.late else events_of(response))


def usage_of(request: FakeRequest, reply: FakeReply) -> dict[str, Any]:
    """Return the usage record, in which cached tokens are part of the input."""
    texts = [str(request.body.get("instructions") or ""), *map(text_of, request.messages), *request.results]
    counts = counted(reply, characters=sum(map(len, texts)))
    usage = {
        "input_tokens": counts.prompt,
        "input_tokens_details": {"cached_tokens": counts.cached},
        "output_tokens": counts.completion,
        "output_tokens_details": {"reasoning_tokens": counts.reasoning},
        "total_tokens": counts.prompt + counts.completion,
    }
    return costed(usage, reply)


def _items(request: FakeRequest, reply: FakeReply) -> Iterator[dict[str, Any]]:
    tail = f"fake_{request.index}"
    if reply.reasoning:
        summary = [{"type": "summary_text", "text": reply.reasoning}]
        yield {"id": f"rs_{tail}", "type": "reasoning", "summary": summary, "status": "completed"}
    yield from hosted.items(request, reply)
    content = list(_content(reply))
    if content or not (reply.tool_calls or reply.ending == "length"):
        yield {
            "id": f"msg_{tail}",
            "type": "message",
            "role": "assistant",
            "status": "incomplete" if reply.ending == "length" else "completed",
            "content": content,
        }
    custom = frozenset(_custom(request))
    for place, call in enumerate(reply.tool_calls):
        yield {**_call(call, custom=call.name in custom), "id": f"fc_{tail}_{place}", "status": "completed"}


def _content(reply: FakeReply) -> Iterator[dict[str, Any]]:
    if reply.text:
        yield {"type": "output_text", "text": reply.text, "annotations": hosted.notes(reply)}
    if reply.refusal:
        yield {"type": "refusal", "refusal": reply.refusal}


def _call(call: ToolCall, *, custom: bool) -> dict[str, Any]:
    if custom:
        return {"type": "custom_tool_call", "call_id": call.id, "name": call.name, "input": call.arguments}
    return {"type": "function_call", "call_id": call.id, "name": call.name, "arguments": call.arguments}


def _custom(request: FakeRequest) -> Iterator[str]:
    """Yield the names of the custom tools of *request*, declared in `tools` or, as Codex does, among the input."""
    groups = [request.body.get("tools") or ()]
    groups += [one.get("tools") or () for one in request.messages if one.get("type") == "additional_tools"]
    for group in groups:
        for tool in _flat(group):
            if tool.get("type") == "custom":
                yield str(tool["name"])


def _flat(tools: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    for tool in tools:
        yield from tool.get("tools") or () if tool.get("type") == "namespace" else (tool,)

"""From the body of a Messages answer to a reply, with the usage counted as everywhere else. Pure functions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from reflact import ChatReply, ToolCall, Usage
from reflact.llm.http import count, dollars
from reflact.types import Finish

_FINISH: Mapping[str, Finish] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "pause_turn": "length",
    "refusal": "refused",
    "tool_use": "tool_calls",
}


def reply(body: Mapping[str, Any], *, model: str) -> ChatReply:
    """Return the reply in *body*, without thoughts.

    Raises `LookupError`, `TypeError` or `AttributeError` when it holds none.
    """
    blocks = [(str(block["type"]), block) for block in body["content"]]
    calls = tuple(_tool_call(block) for kind, block in blocks if kind == "tool_use")
    finish: Finish = "tool_calls" if calls else "stop"
    return ChatReply(
        text="".join(str(block.get("text") or "") for kind, block in blocks if kind == "text"),
        tool_calls=calls,
        usage=usage(body.get("usage") or {}),
        usd=dollars((body.get("usage") or {}).get("cost")),
        finish=_FINISH.get(body.get("stop_reason") or "", finish),
        model=str(body.get("model") or model),
    )


def usage(counts: Mapping[str, Any]) -> Usage:
    """Return the usage of one call; what is missing or no count is zero.

    The API counts what it read from and wrote to its cache apart from the rest of the prompt; `prompt` is all of it.
    """
    read = count(counts.get("cache_read_input_tokens"))
    written = count(counts.get("cache_creation_input_tokens"))
    details = counts.get("output_tokens_details") or {}
    return Usage(
        calls=1,
        prompt=count(counts.get("input_tokens")) + read + written,
        cached=read,
        completion=count(counts.get("output_tokens")),
        reasoning=count(details.get("thinking_tokens")),
    )


def _tool_call(block: Mapping[str, Any]) -> ToolCall:
    arguments = json.dumps(block.get("input") or {}, ensure_ascii=False)
    return ToolCall(id=str(block["id"]), name=str(block["name"]), arguments=arguments)

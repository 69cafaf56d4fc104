"""From the body of a Messages answer to a reply, with the usage counted as everywhere else. Pure functions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from reflact import ChatReply, ToolCall, Usage
from reflact.llm.http import added, count, dollars
from reflact.types import Finish

PAUSED = "pause_turn"
_FINISH: Mapping[str, Finish] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    PAUSED: "length",
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
        searches=tuple(query for kind, block in blocks if kind == "server_tool_use" and (query := _query(block))),
        sources=tuple(dict.fromkeys(url for _, block in blocks for url in _cited(block))),
    )


def is_paused(body: Mapping[str, Any]) -> bool:
    """Return whether *body* is part of a turn that the server means to go on with, having searched for long."""
    return body.get("stop_reason") == PAUSED


def continued(first: ChatReply, rest: ChatReply) -> ChatReply:
    """Return the reply whose parts are *first* and *rest*."""
    return replace(
        added(first, rest),
        text=first.text + rest.text,
        searches=(*first.searches, *rest.searches),
        sources=tuple(dict.fromkeys((*first.sources, *rest.sources))),
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


def _query(block: Mapping[str, Any]) -> str:
    return str((block.get("input") or {}).get("query") or "")


def _cited(block: Mapping[str, Any]) -> Iterator[str]:
    yield from (str(one["url"]) for one in block.get("citations") or () if one.get("url"))


def _tool_call(block: Mapping[str, Any]) -> ToolCall:
    arguments = json.dumps(block.get("input") or {}, ensure_ascii=False)
    return ToolCall(id=str(block["id"]), name=str(block["name"]), arguments=arguments)

"""Texts in a request, and token counts of the fake server: as the script says, or estimated from the texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from reflact.testing.server.script import FakeReply
from reflact.types import Usage

TEXTS = frozenset({"text", "input_text", "output_text"})


def counted(reply: FakeReply, *, characters: int) -> Usage:
    """Return what *reply* and a prompt of so many *characters* count; estimates are a quarter of them, rounded up."""
    if isinstance(reply.usage, Usage):
        return reply.usage
    said = len(reply.text) + len(reply.reasoning) + sum(len(call.arguments) for call in reply.tool_calls)
    return Usage(calls=1, prompt=tokens(characters), completion=tokens(said), reasoning=tokens(len(reply.reasoning)))


def costed(usage: Mapping[str, Any], reply: FakeReply) -> dict[str, Any]:
    """Return *usage* with the cost the script gives."""
    return dict(usage) if reply.cost is None else {**usage, "cost": reply.cost}


def text_of(message: Mapping[str, Any]) -> str:
    """Return the text parts of *message*, joined by newlines."""
    return text_in(message.get("content") or "")


def text_in(content: str | Sequence[Mapping[str, Any]]) -> str:
    """Return the text parts of *content*, joined by newlines."""
    if isinstance(content, str):
        return content
    return "\n".join(str(part["text"]) for part in content if part.get("type") in TEXTS)


def after_last(
    items: Sequence[Mapping[str, Any]], wanted: Callable[[Mapping[str, Any]], bool]
) -> tuple[Mapping[str, Any], Sequence[Mapping[str, Any]]]:
    """Return the last of *items* that is *wanted*, and all after it; an empty one and all when there is none."""
    for place in range(len(items) - 1, -1, -1):
        if wanted(items[place]):
            return items[place], items[place + 1 :]
    return {}, items


def tokens(characters: int) -> int:
    """Return the estimate for so many *characters*."""
    return -(-characters // 4)

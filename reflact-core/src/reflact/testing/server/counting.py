"""Token counts of the fake server: as the script says, or estimated from the texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reflact.testing.server.script import FakeReply
from reflact.types import Usage


def counted(reply: FakeReply, *, characters: int) -> Usage:
    """Return what *reply* and a prompt of so many *characters* count; estimates are a quarter of them, rounded up."""
    if isinstance(reply.usage, Usage):
        return reply.usage
    said = len(reply.text) + len(reply.reasoning) + sum(len(call.arguments) for call in reply.tool_calls)
    return Usage(calls=1, prompt=_tokens(characters), completion=_tokens(said), reasoning=_tokens(len(reply.reasoning)))


def text_of(message: Mapping[str, Any]) -> str:
    """Return the text parts of *message*, joined by newlines."""
    return text_in(message.get("content") or "")


def text_in(content: str | Sequence[Mapping[str, Any]]) -> str:
    """Return the text parts of *content*, joined by newlines."""
    if isinstance(content, str):
        return content
    return "\n".join(str(part["text"]) for part in content if part.get("type") == "text")


def _tokens(characters: int) -> int:
    return -(-characters // 4)

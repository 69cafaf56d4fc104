"""A reply that was cut before its first word, since all its tokens went into thinking: it gets more room, once."""

from __future__ import annotations

from dataclasses import replace

from reflact.types import ChatReply

ROOM = 4
"""How many times the token limit there is the second time."""


def roomier(tokens: int, most: int | None) -> int:
    """Return the limit to try after *tokens* were not enough for a first word; never more than *most*."""
    return tokens * ROOM if most is None else max(tokens, min(tokens * ROOM, most))


def said_nothing(reply: ChatReply) -> bool:
    """Return whether *reply* was cut before its first word."""
    return reply.finish == "length" and not reply.text.strip() and not reply.tool_calls


def added(silent: ChatReply, reply: ChatReply) -> ChatReply:
    """Return *reply* with what the *silent* one before it cost."""
    costs = [one.usd for one in (silent, reply) if one.usd is not None]
    return replace(reply, usage=silent.usage + reply.usage, usd=sum(costs) if costs else None)

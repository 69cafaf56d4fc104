"""Reading what Claude Code prints: one JSON object per line, about what was said, what was done and how it ended."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from reflact.types import Usage

SYNTHETIC = "<synthetic>"
"""The model that Claude Code names where it speaks itself, about an error."""

Event = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """The events of one run. `result` is the last word on how it ended; empty when the run was cut off."""

    events: tuple[Event, ...] = ()
    start: Event
    result: Event

    @property
    def session_id(self) -> str:
        """The session the run can be gone on with."""
        return str(self.result.get("session_id") or self.start.get("session_id") or "")

    @property
    def last_text(self) -> str:
        """The last text the model said."""
        said = [text for event in self.events if is_reply(event) for text in texts(event)]
        return next((text for text in reversed(said) if text.strip()), "")

    @property
    def own_words(self) -> str:
        """What Claude Code itself said last, in the place of the model; empty when the model had the last word."""
        spoken = [event for event in self.events if event.get("type") == "assistant"]
        return "" if not spoken or is_reply(spoken[-1]) else " ".join(texts(spoken[-1]))


def read(stdout: bytes) -> Stream:
    """Return the events in *stdout*; lines that are no JSON object are passed over."""
    events = tuple(_objects(stdout))
    results = [one for one in events if one.get("type") == "result"]
    starts = [one for one in events if (one.get("type"), one.get("subtype")) == ("system", "init")]
    return Stream(events=events, start=starts[0] if starts else {}, result=results[-1] if results else {})


def blocks(event: Event) -> list[Mapping[str, Any]]:
    """Return the content blocks of the message in *event*; a plain text is one block."""
    content = (event.get("message") or {}).get("content") or []
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return [part for part in parts if isinstance(part, Mapping)]


def texts(event: Event) -> list[str]:
    """Return the texts of the message in *event*."""
    return [str(block.get("text") or "") for block in blocks(event) if block.get("type") == "text"]


def is_reply(event: Event) -> bool:
    """Return whether *event* holds something the model said, to the main conversation."""
    if event.get("type") != "assistant" or event.get("parent_tool_use_id"):
        return False
    return isinstance(event.get("message"), Mapping) and event["message"].get("model") != SYNTHETIC


def usage(stream: Stream) -> Usage:
    """Return what the run took: the final count, or what the messages of a run that was cut off add up to.

    Claude Code counts what was read from and written to the cache apart from the rest of the prompt; `prompt` is all.
    """
    replies = {str(one["message"].get("id")): one["message"] for one in stream.events if is_reply(one)}
    counts = [stream.result["usage"]] if isinstance(stream.result.get("usage"), Mapping) else []
    parts = counts or [one["usage"] for one in replies.values() if isinstance(one.get("usage"), Mapping)]
    return sum(map(_usage, parts), start=Usage(calls=max(1, len(replies))))


def usd(stream: Stream) -> float | None:
    """Return what this run cost in US dollars; `None` when a model has no known price, which Claude Code then guesses.

    In a session that goes on, `modelUsage` holds what was spent before, too.
    """
    since = stream.result.get("model_usage_since_last_result")
    models = since if isinstance(since, Mapping) else stream.result.get("modelUsage")
    if not isinstance(models, Mapping) or not models:
        return None
    total = 0.0
    for one in models.values():
        cost = one.get("costUSD") if isinstance(one, Mapping) else None
        if isinstance(cost, bool) or not isinstance(cost, int | float) or not 0 <= cost < float("inf"):
            return None
        if one.get("costBasis", "unknown") == "unknown":
            return None
        total += cost
    return total


def _objects(stdout: bytes) -> Iterator[Event]:
    for text in stdout.decode("utf-8", "replace").splitlines():
        try:
            told = json.loads(text)
        except ValueError:
            continue
        if isinstance(told, dict):
            yield told


def _usage(counts: Mapping[str, Any]) -> Usage:
    read_, written = _count(counts.get("cache_read_input_tokens")), _count(counts.get("cache_creation_input_tokens"))
    details = counts.get("output_tokens_details")
    return Usage(
        prompt=_count(counts.get("input_tokens")) + read_ + written,
        cached=read_,
        completion=_count(counts.get("output_tokens")),
        reasoning=_count(details.get("thinking_tokens")) if isinstance(details, Mapping) else 0,
    )


def _count(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0

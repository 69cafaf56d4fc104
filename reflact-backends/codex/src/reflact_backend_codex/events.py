"""What `codex exec --json` prints: how the turn ended, and what was done as far as it is told there."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from reflact.agents import Step
from reflact.types import Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """The events of one turn. `failure` is why it failed; `usage` counts the whole thread so far."""

    completed: bool = False
    failure: str = ""
    thread: str = ""
    steps: tuple[Step, ...] = ()
    usage: Usage | None = None


def read_events(stdout: bytes) -> Told:
    """Return what the JSON lines in *stdout* tell; lines that are no events are passed over."""
    told = list(_objects(stdout))
    kinds = [one["type"] for one in told]
    ended = next((one for one in reversed(told) if one["type"] in ("turn.completed", "turn.failed")), None)
    failed = ended is not None and ended["type"] == "turn.failed"
    last_error = next((one for one in reversed(told) if one["type"] == "error"), None)
    completed = ended is not None and not failed
    return Told(
        completed=completed,
        failure=message(ended) if failed and ended else "" if completed or last_error is None else message(last_error),
        thread=next((str(one.get("thread_id", "")) for one in told if one["type"] == "thread.started"), ""),
        steps=tuple(_steps(told)),
        usage=usage_of(ended["usage"]) if ended and isinstance(ended.get("usage"), dict) and kinds else None,
    )


def usage_of(counts: Mapping[str, Any], calls: int = 1) -> Usage:
    """Return token *counts* of Codex, in which cached tokens are part of the input."""
    return Usage(
        calls=calls,
        prompt=_count(counts.get("input_tokens")),
        cached=_count(counts.get("cached_input_tokens")),
        completion=_count(counts.get("output_tokens")),
        reasoning=_count(counts.get("reasoning_output_tokens")),
    )


def message(event: Mapping[str, Any]) -> str:
    """Return the words of an error event; a provider's JSON within them is opened."""
    inner = event.get("error")
    text = str((inner.get("message") if isinstance(inner, dict) else None) or event.get("message") or "no reason given")
    try:
        body = json.loads(text)
        return str(body["error"]["message"])
    except (ValueError, LookupError, TypeError):
        return text


def _objects(stdout: bytes) -> Iterator[dict[str, Any]]:
    for line in stdout.splitlines():
        if line.lstrip().startswith(b"{"):
            try:
                found = json.loads(line)
            except ValueError:
                continue
            if isinstance(found, dict) and isinstance(found.get("type"), str):
                yield found


def _steps(told: list[dict[str, Any]]) -> Iterator[Step]:
    for item in (one.get("item") for one in told if one["type"] == "item.completed"):
        if not isinstance(item, dict):
            continue
        kind = item.get("type")
        if kind == "command_execution":
            code = item.get("exit_code")
            yield Step(
                kind="command",
                content=str(item.get("command", "")),
                output=str(item.get("aggregated_output") or ""),
                exit_code=code if isinstance(code, int) else None,
            )
        elif kind == "file_change":
            changes = [f"{one.get('kind', '')} {one.get('path', '')}".strip() for one in item.get("changes") or ()]
            yield Step(kind="file_change", content="\n".join(changes))
        elif kind == "agent_message":
            yield Step(kind="message", content=str(item.get("text") or ""))
        elif kind == "reasoning":
            yield Step(kind="reasoning", content=str(item.get("text") or ""))
        elif kind not in ("error", None):
            rest = {key: value for key, value in item.items() if key not in ("id", "type", "status")}
            yield Step(kind="tool", content=f"{kind} {json.dumps(rest, ensure_ascii=False)}")


def _count(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0

"""From events to steps: what was said, run and changed, each with the event a session can go on after."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from reflact.agents import Step

from reflact_backend_claude_code.events import Event, Stream, blocks, is_reply, texts

CHANGES = {"Write": "file_path", "Edit": "file_path", "MultiEdit": "file_path", "NotebookEdit": "notebook_path"}
_EXIT = re.compile(r"\AExit code (\d+)(?:\n|\Z)")


def steps(stream: Stream) -> tuple[Step, ...]:
    """Return the steps of a run, in order.

    A tool call can be gone on after once all calls of its message have their results: with a result missing, a session
    would hold an error that never was.
    """
    results = dict(_results(stream))
    settled = _settled(stream, results)
    found: list[Step] = []
    for event in stream.events:
        if event.get("type") == "assistant" and not event.get("parent_tool_use_id"):
            found += _steps(event, results, settled) if is_reply(event) else _errors(event)
    return tuple(found)


def _steps(event: Event, results: Mapping[str, Event], settled: Mapping[str, str]) -> Iterator[Step]:
    own = str(event.get("uuid") or "")
    for block in blocks(event):
        if block.get("type") == "text" and str(block.get("text") or "").strip():
            yield Step(kind="message", content=str(block["text"]), handle=own)
        elif block.get("type") == "thinking" and str(block.get("thinking") or "").strip():
            yield Step(kind="reasoning", content=str(block["thinking"]))
        elif block.get("type") == "tool_use":
            result = results.get(str(block.get("id")), {})
            yield _call(block, result, settled.get(str(event["message"].get("id")), ""))


def _errors(event: Event) -> Iterator[Step]:
    for text in texts(event):
        yield Step(kind="error", content=text)


def _call(block: Mapping[str, Any], result: Mapping[str, Any], handle: str) -> Step:
    name, given = str(block.get("name")), block.get("input")
    given = given if isinstance(given, Mapping) else {}
    output = _text(result.get("content")) if result else None
    if name == "Bash":
        code = _exit_code(output or "", failed=bool(result.get("is_error"))) if result else None
        shown = _EXIT.sub("", output) if output is not None else None
        return Step(
            kind="command", content=str(given.get("command") or ""), output=shown, exit_code=code, handle=handle
        )
    if name in CHANGES and not result.get("is_error"):
        return Step(kind="file_change", content=str(given.get(CHANGES[name]) or ""), output=output, handle=handle)
    arguments = json.dumps(dict(given), ensure_ascii=False)
    return Step(kind="tool", content=f"{name} {arguments}", output=output, handle=handle)


def _exit_code(output: str, *, failed: bool) -> int | None:
    """Return the exit code of a command; `None` for one that failed without ever being run."""
    found = _EXIT.match(output)
    if found:
        return int(found[1])
    return None if failed else 0


def _results(stream: Stream) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield each tool result under the id of its call, with the id of the event that brought it."""
    for event in stream.events:
        for block in blocks(event) if event.get("type") == "user" else ():
            if block.get("type") == "tool_result":
                yield str(block.get("tool_use_id")), {**block, "event": str(event.get("uuid") or "")}


def _settled(stream: Stream, results: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Return, for each message whose calls all have results, the id of the event that brought the last of them."""
    calls: dict[str, list[str]] = {}
    for event in filter(is_reply, stream.events):
        ids = [str(block.get("id")) for block in blocks(event) if block.get("type") == "tool_use"]
        calls.setdefault(str(event["message"].get("id")), []).extend(ids)
    order = {call: place for place, call in enumerate(results)}
    return {
        message: str(results[max(ids, key=order.__getitem__)]["event"])
        for message, ids in calls.items()
        if ids and all(one in results for one in ids)
    }


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(str(part.get("text") or f"[{part.get('type')}]") for part in parts if isinstance(part, Mapping))

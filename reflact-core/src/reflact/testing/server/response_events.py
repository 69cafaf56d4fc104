"""The stream of the Responses protocol: a finished response, told bit by bit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

from reflact.testing.server.sse import event

Told = tuple[str, dict[str, Any]]


def events_of(response: Mapping[str, Any]) -> Iterator[bytes]:
    """Yield the events that tell *response*; the last one holds it whole."""
    last = "response.incomplete" if response["status"] == "incomplete" else "response.completed"
    return _numbered([*_opening(response), *_body(response), (last, {"response": response})])


def failure_events(response: Mapping[str, Any]) -> Iterator[bytes]:
    """Yield the events of a *response* that fails after it began."""
    return _numbered([*_opening(response), ("response.failed", {"response": response})])


def _numbered(told: list[Told]) -> Iterator[bytes]:
    for number, (kind, fields) in zip(count(), told, strict=False):
        yield event({"type": kind, "sequence_number": number, **fields}, named=True)


def _opening(response: Mapping[str, Any]) -> Iterator[Told]:
    begun = {**response, "status": "in_progress", "error": None, "output": [], "usage": None}
    yield "response.created", {"response": begun}
    yield "response.in_progress", {"response": begun}


def _body(response: Mapping[str, Any]) -> Iterator[Told]:
    for place, item in enumerate(response["output"]):
        at = {"output_index": place}
        empty: dict[str, list[Any]] = {name: [] for name in ("content", "summary") if name in item}
        yield "response.output_item.added", {**at, "item": {**item, **empty, "status": "in_progress"}}
        for kind, fields in _within(item):
            yield f"response.{kind}", {"item_id": item["id"], **at, **fields}
        yield "response.output_item.done", {**at, "item": item}


def _within(item: Mapping[str, Any]) -> Iterator[Told]:
    if item["type"] == "message":
        for place, part in enumerate(item["content"]):
            yield from _part(place, part)
    elif item["type"] == "function_call":
        yield "function_call_arguments.delta", {"delta": item["arguments"]}
        yield "function_call_arguments.done", {"name": item["name"], "arguments": item["arguments"]}
    elif item["type"] == "custom_tool_call":
        yield "custom_tool_call_input.delta", {"delta": item["input"]}
        yield "custom_tool_call_input.done", {"input": item["input"]}
    elif item["type"] == "reasoning":
        for place, part in enumerate(item["summary"]):
            at = {"summary_index": place}
            yield "reasoning_summary_part.added", {**at, "part": {**part, "text": ""}}
            yield "reasoning_summary_text.delta", {**at, "delta": part["text"]}
            yield "reasoning_summary_text.done", {**at, "text": part["text"]}
            yield "reasoning_summary_part.done", {**at, "part": part}
    elif item["type"] == "web_search_call":
        for state in ("in_progress", "searching", "completed"):
            yield f"web_search_call.{state}", {}


def _part(place: int, part: Mapping[str, Any]) -> Iterator[Told]:
    at = {"content_index": place}
    name = "refusal" if part["type"] == "refusal" else "text"
    whole = str(part[name])
    notes = part.get("annotations", [])
    yield "content_part.added", {**at, "part": {**part, name: "", **({"annotations": []} if notes else {})}}
    for start in range(0, len(whole), 40):
        yield f"{part['type']}.delta", {**at, "delta": whole[start : start + 40]}
    for number, note in enumerate(notes):
        yield "output_text.annotation.added", {**at, "annotation_index": number, "annotation": note}
    yield f"{part['type']}.done", {**at, name: whole}
    yield "content_part.done", {**at, "part": part}

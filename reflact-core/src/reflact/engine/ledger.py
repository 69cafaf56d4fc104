"""What a run has really spent, over all its processes: `calls.jsonl`, one line a call, and the totals made of it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reflact.llm.router import Call
from reflact.store.codec import plain, structure
from reflact.types import Usage

FILE = "calls.jsonl"


def writer(root: Path) -> Any:
    """Return a sink that appends each call to the run's file; calls come one at a time."""
    root.mkdir(parents=True, exist_ok=True)
    file = (root / FILE).open("a", encoding="utf-8", buffering=1)

    def sink(call: Call) -> None:
        file.write(json.dumps(plain(call)) + "\n")

    return sink


def spent(root: Path) -> dict[str, dict[str, Any]]:
    """Return role -> {model, calls, failed, usage, seconds, stages} of all calls of the run so far."""
    table: dict[str, dict[str, Any]] = {}
    for call in _calls(root / FILE):
        role = table.setdefault(
            call.role, {"model": call.model, "failed": 0, "usage": Usage(), "seconds": 0.0, "stages": {}}
        )
        role["failed"] += bool(call.error)
        role["usage"] += call.usage
        role["seconds"] = round(role["seconds"] + call.seconds, 3)
        role["stages"][call.stage] = role["stages"].get(call.stage, Usage()) + call.usage
    return {
        role: {
            **entry,
            "usage": plain(entry["usage"]),
            "stages": {stage: plain(usage) for stage, usage in sorted(entry["stages"].items())},
        }
        for role, entry in sorted(table.items())
    }


def _calls(file: Path) -> Iterator[Call]:
    """Yield the calls on record; a line that a kill cut short is passed over."""
    if not file.exists():
        return
    for line in file.read_text(encoding="utf-8").splitlines():
        try:
            yield structure(Call, json.loads(line))
        except ValueError:
            continue

"""What a run has really spent, over all its processes: `calls.jsonl`, one line a call, and the totals made of it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from reflact.llm.budget import Spent
from reflact.llm.calls import Call
from reflact.store.codec import plain
from reflact.types import Usage

FILE = "calls.jsonl"
CALL = TypeAdapter(Call)


def writer(root: Path) -> Callable[[Call], None]:
    """Return a sink that appends each call to the run's file; calls come one at a time."""
    root.mkdir(parents=True, exist_ok=True)
    file = (root / FILE).open("a+b", buffering=0)
    if file.tell() and _last_byte(root / FILE) != b"\n":
        file.write(b"\n")

    def sink(call: Call) -> None:
        file.write(CALL.dump_json(call) + b"\n")

    return sink


def spent(root: Path) -> dict[str, dict[str, Any]]:
    """Return role -> {model, failed, from_cache, usage, usd, unpriced, seconds, stages} of the run's calls so far.

    Failed calls are among `usage.calls`, replies from the cache are not. `usd` is the sum of what is priced, and None
    when nothing is; `unpriced` is how many calls with a reply have no price.
    """
    table: dict[str, dict[str, Any]] = {}
    for call in _calls(root / FILE):
        role = table.setdefault(call.role, _nothing(call.model))
        role["failed"] += bool(call.error)
        role["from_cache"] += call.cached
        role["usage"] += call.usage
        role["priced"] += call.usd is not None
        role["usd"] += call.usd or 0.0
        role["unpriced"] += call.usage.calls if call.usd is None and not call.error else 0
        role["seconds"] = round(role["seconds"] + call.seconds, 3)
        role["stages"][call.stage] = role["stages"].get(call.stage, Usage()) + call.usage
    return {role: _told(entry) for role, entry in sorted(table.items())}


def spent_before(root: Path) -> dict[str, Spent]:
    """Return by role what earlier processes of the run have spent, as its budget counts it."""
    table: dict[str, Spent] = {}
    for call in _calls(root / FILE):
        table[call.role] = table.get(call.role, Spent()).plus(call.usage, call.usd)
    return table


def _nothing(model: str) -> dict[str, Any]:
    counts = {"failed": 0, "from_cache": 0, "priced": 0, "unpriced": 0, "usd": 0.0, "seconds": 0.0}
    return {"model": model, "usage": Usage(), "stages": {}, **counts}


def _told(entry: dict[str, Any]) -> dict[str, Any]:
    priced = entry.pop("priced")
    return {
        **entry,
        "usage": plain(entry["usage"]),
        "usd": round(entry["usd"], 6) if priced or not entry["unpriced"] else None,
        "stages": {stage: plain(usage) for stage, usage in sorted(entry["stages"].items())},
    }


def _calls(file: Path) -> Iterator[Call]:
    """Yield the calls on record; a line that a kill cut short is passed over."""
    if not file.exists():
        return
    for line in file.read_text(encoding="utf-8").splitlines():
        try:
            yield CALL.validate_json(line)
        except ValueError:
            continue


def _last_byte(file: Path) -> bytes:
    with file.open("rb") as opened:
        opened.seek(-1, 2)
        return opened.read()

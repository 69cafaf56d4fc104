"""What a run has really spent, over all its processes: `calls.jsonl`, one line a call, and what it comes to."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from reflact.engine.totals import Totals
from reflact.llm.budget import Spent
from reflact.llm.calls import Call

FILE = "calls.jsonl"
CALL = TypeAdapter(Call)


class Account:
    """What the run in *root* has spent: its record is read once, and then kept, and summed up, call by call."""

    def __init__(self, root: Path) -> None:
        self._totals = Totals(_calls(root / FILE))
        self._write = writer(root)

    def add(self, call: Call) -> None:
        """Put *call* on record; calls come one at a time."""
        self._write(call)
        self._totals.add(call)

    def spent(self) -> Mapping[str, Spent]:
        """Return by role what all processes of the run have spent so far, as its budget counts it."""
        return self._totals.spent()

    def table(self) -> dict[str, dict[str, Any]]:
        """Return the same as `spent` of the run's folder, without reading it again."""
        return self._totals.table()


def spent(root: Path) -> dict[str, dict[str, Any]]:
    """Return what the record of the run in *root* comes to, by role: see `Totals.table`."""
    return Totals(_calls(root / FILE)).table()


def writer(root: Path) -> Callable[[Call], None]:
    """Return a sink that appends each call to the run's file; calls come one at a time."""
    root.mkdir(parents=True, exist_ok=True)
    file = (root / FILE).open("a+b", buffering=0)
    if file.tell() and _last_byte(root / FILE) != b"\n":
        file.write(b"\n")

    def sink(call: Call) -> None:
        file.write(CALL.dump_json(call) + b"\n")

    return sink


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

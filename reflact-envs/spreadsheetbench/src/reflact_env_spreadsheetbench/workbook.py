"""What a workbook holds in the cells that count, read by a program of its own in the sandbox."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from reflact.errors import DataError
from reflact.kit.sandbox import Job

from reflact_env_spreadsheetbench.booth import INSIDE, Booth, taken
from reflact_env_spreadsheetbench.ranges import Ref
from reflact_env_spreadsheetbench.values import Value

READER = INSIDE / "read_workbook.py"
READ_S = 120.0
ANSWER_MB = 400
PREVIEW: Mapping[str, int] = {"sheets": 20, "rows": 5, "columns": 20, "width": 40}
PREVIEW_CHARS = 12_000

_READ: Mapping[str, Any] = {
    "datetime": datetime.fromisoformat,
    "date": date.fromisoformat,
    "time": time.fromisoformat,
    "timedelta": lambda seconds: timedelta(seconds=seconds),
}


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: what it holds, its formula if it has one, and whether the value of that formula is known."""

    value: Value
    formula: str = ""
    known: bool = True


EMPTY = Cell(None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One range of a workbook: the sheet it is in (None when there is no such) and its cells by row and column."""

    sheet: str | None
    cells: Mapping[tuple[int, int], Cell]

    @property
    def formulas(self) -> bool:
        """Whether any cell is computed."""
        return any(cell.formula for cell in self.cells.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a workbook holds in some ranges, in their order, and the names of its sheets."""

    sheets: tuple[str, ...]
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads workbooks in a `booth`. Raises `DataError` for one that cannot be read, with what is wrong with it."""

    booth: Booth

    def cells(self, workbook: Path | bytes, refs: Sequence[Ref], *, sheet: str = "") -> Reading:
        """Return what *workbook* holds in *refs*. Those without a sheet mean *sheet* if it exists, else the first."""
        asked = [
            {**{key: value for key, value in asdict(ref).items() if key != "sheet"}, "sheets": _candidates(ref, sheet)}
            for ref in refs
        ]
        found = self._ask(workbook, {"refs": asked})
        parts = tuple(Part(sheet=one["sheet"], cells=dict(map(_cell, one["cells"]))) for one in found["refs"])
        return Reading(sheets=tuple(found["sheets"]), parts=parts)

    def preview(self, workbook: Path | bytes) -> tuple[str, int]:
        """Return a text that shows the beginning of every sheet, within bounds, and how many formulas have no value."""
        found = self._ask(workbook, {"preview": dict(PREVIEW)})
        text = str(found["text"])
        return text if len(text) <= PREVIEW_CHARS else f"{text[:PREVIEW_CHARS]}\n… (preview cut)", found["unknown"]

    def _ask(self, workbook: Path | bytes, request: Mapping[str, Any]) -> Any:
        with self.booth.folder() as folder:
            work, given = folder / "work", folder / "book" / "workbook.xlsx"
            work.mkdir()
            given.parent.mkdir()
            given.write_bytes(workbook if isinstance(workbook, bytes) else workbook.read_bytes())
            for path, mode in ((given, 0o444), (given.parent, 0o755), (folder, 0o755)):
                path.chmod(mode)
            answer = work / "answer.json"
            ran = self.booth.run(
                Job(
                    argv=(self.booth.python, "-I", "-B", "-W", "ignore", str(READER), str(given), str(answer)),
                    work=work,
                    readable=(given.parent,),
                    limits=replace(self.booth.limits, seconds=READ_S, file_mb=ANSWER_MB),
                    stdin=json.dumps(request),
                )
            )
            if not ran.ok:
                lines = [line for line in ran.stderr.splitlines() if line.strip()]
                told = lines[-1] if lines and ran.reason.startswith("exit code") else ran.reason
                raise DataError(f"the workbook cannot be read: {told[:500]}")
            return json.loads(taken(answer, most_mb=ANSWER_MB))


def _candidates(ref: Ref, sheet: str) -> list[str]:
    return [ref.sheet] if ref.sheet else [*([sheet] if sheet else []), ""]


def _cell(raw: Sequence[Any]) -> tuple[tuple[int, int], Cell]:
    row, column, kind, value, formula, known = raw
    return (row, column), Cell(_READ[kind](value) if kind in _READ else value, formula, known)

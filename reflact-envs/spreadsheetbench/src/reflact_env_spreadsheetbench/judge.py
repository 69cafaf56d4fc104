"""Whether one case is solved: stored values first, then values that LibreOffice computes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import Literal

from reflact.errors import DataError

from reflact_env_spreadsheetbench.compare import Difference, differences, unknown_cells
from reflact_env_spreadsheetbench.libreoffice import LibreOffice
from reflact_env_spreadsheetbench.ranges import Ref
from reflact_env_spreadsheetbench.workbook import Cell, Part, Reader, Reading

Verdict = Literal["pass", "fail", "unscorable"]
MOST_DIFFERENCES = 100_000
KEPT_GOLDS = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The verdict on a workbook. `via` says how it passed: by what is stored in it, or by what its formulas come to.

    `unscorable` is neither: it depends on a formula whose value nobody here can tell.
    """

    verdict: Verdict
    via: str = ""
    reason: str = ""
    wrong: tuple[Difference, ...] = ()


class Referee:
    """Judges workbooks; knows the golds it has seen."""

    def __init__(self, reader: Reader, office: LibreOffice | None) -> None:
        self.reader, self.office = reader, office
        self._golds = lru_cache(maxsize=KEPT_GOLDS)(partial(_read_gold, reader, office))

    def gold(self, workbook: Path, refs: Sequence[Ref], sheet: str) -> Reading:
        """Return what the right *workbook* holds in *refs*, its formulas computed where no value is stored.

        Raises `DataError` when that is not known, or the workbook has no such sheet.
        """
        return self._golds(workbook, tuple(refs), sheet, workbook.stat().st_mtime_ns)

    def __call__(self, gold: Reading, workbook: bytes, refs: Sequence[Ref]) -> Judged:
        """Return the verdict on *workbook*, whose ranges *refs* should hold what those of *gold* do."""
        named = [_in_sheet(ref, part) for ref, part in zip(refs, gold.parts, strict=True)]
        try:
            found = self.reader.cells(workbook, named)
        except DataError as error:
            return Judged(verdict="fail", reason=str(error))
        wrong = _some(gold, found, computed=False)
        if not wrong:
            return Judged(verdict="pass", via="cached")
        if not all(one.open for one in wrong):
            return _failed(wrong)
        if self.office is None:
            return Judged(verdict="unscorable", reason=f"{wrong[0]}; no LibreOffice to compute it", wrong=wrong)
        try:
            computed = self.reader.cells(self.office.computed(workbook, keep=False), named)
        except DataError as error:
            return Judged(verdict="unscorable", reason=str(error), wrong=wrong)
        wrong = _some(gold, computed, computed=True)
        if not wrong:
            return Judged(verdict="pass", via="recalc")
        if all(one.open for one in wrong):
            told = f"{wrong[0]}; LibreOffice {self.office.version} does not know a function in it"
            return Judged(verdict="unscorable", reason=told, wrong=wrong)
        return _failed(wrong)


def _read_gold(
    reader: Reader, office: LibreOffice | None, workbook: Path, refs: tuple[Ref, ...], sheet: str, changed: int
) -> Reading:
    try:
        found = reader.cells(workbook, refs, sheet=sheet)
    except DataError as error:
        raise DataError(f"{workbook}: {error}") from error
    for ref, part in zip(refs, found.parts, strict=True):
        if part.sheet is None:
            raise DataError(f"{workbook}: no sheet {ref.sheet!r}; there are: {', '.join(found.sheets)}")
    lost = unknown_cells(found, computed=False)
    if not lost:
        return found
    if office is None:
        raise DataError(_untold(workbook, lost, "no value is stored, and there is no LibreOffice to compute it"))
    computed = reader.cells(office.computed(workbook.read_bytes(), keep=True), refs, sheet=sheet)
    if lost := unknown_cells(computed, computed=True):
        raise DataError(_untold(workbook, lost, f"LibreOffice {office.version} does not know its function"))
    return _filled(found, computed)


def _some(gold: Reading, found: Reading, *, computed: bool) -> tuple[Difference, ...]:
    return tuple(islice(differences(gold, found, computed=computed), MOST_DIFFERENCES))


def _failed(wrong: tuple[Difference, ...]) -> Judged:
    first = next((one for one in wrong if not one.open), wrong[0])
    return Judged(verdict="fail", reason=f"eval-mismatch: {first}", wrong=wrong)


def _in_sheet(ref: Ref, part: Part) -> Ref:
    return Ref(
        sheet=str(part.sheet),
        first_row=ref.first_row,
        last_row=ref.last_row,
        first_column=ref.first_column,
        last_column=ref.last_column,
    )


def _untold(workbook: Path, cells: Sequence[str], why: str) -> str:
    more = f" and {len(cells) - 1} more" if len(cells) > 1 else ""
    return f"{workbook}: the right value of {cells[0]}{more} is a formula's: {why}"


def _filled(found: Reading, computed: Reading) -> Reading:
    """Return *found* with the values of *computed* where its own are not known."""
    parts = []
    for part, other in zip(found.parts, computed.parts, strict=True):
        cells = {
            place: cell if cell.known else Cell(other.cells.get(place, cell).value, cell.formula)
            for place, cell in part.cells.items()
        }
        parts.append(Part(sheet=part.sheet, cells=cells))
    return Reading(sheets=found.sheets, parts=tuple(parts))

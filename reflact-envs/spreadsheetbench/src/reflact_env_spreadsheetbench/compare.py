"""A workbook against the right one, cell by cell."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from reflact_env_spreadsheetbench.libreoffice import unknown_function
from reflact_env_spreadsheetbench.ranges import cell_name
from reflact_env_spreadsheetbench.values import Value, same
from reflact_env_spreadsheetbench.workbook import EMPTY, Cell, Part, Reading


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A cell that is not as it should be. `open` says that a formula's value could still make it right."""

    cell: str
    expected: Value
    got: Value
    open: bool = False
    note: str = ""

    def __str__(self) -> str:
        note = f" ({self.note})" if self.note else ""
        return f"{self.cell} expected={self.expected!r} got={self.got!r}{note}"


def differences(gold: Reading, found: Reading, *, computed: bool) -> Iterator[Difference]:
    """Yield the cells in which *found* differs from *gold*, range by range; *computed* if it comes from LibreOffice.

    Before that, a formula without a stored value, or with a wrong one, leaves it open whether the cell is right.
    """
    for right, left in zip(gold.parts, found.parts, strict=True):
        if left.sheet is None:
            yield Difference(cell=f"{right.sheet}!", expected="a sheet", got=None, note="there is no such sheet")
        else:
            yield from _between(right, left, computed=computed)


def _between(gold: Part, found: Part, *, computed: bool) -> Iterator[Difference]:
    for row, column in sorted(gold.cells.keys() | found.cells.keys()):
        want, got = gold.cells.get((row, column), EMPTY), found.cells.get((row, column), EMPTY)
        if (got.known or computed) and same(want.value, got.value):
            continue
        note = "" if got.known or computed else "a formula whose value is not stored"
        name = cell_name(str(gold.sheet), row, column)
        is_open = bool(got.formula) and (not computed or unknown_function(got.value, got.formula))
        yield Difference(cell=name, expected=want.value, got=got.value, open=is_open, note=note or got.formula[:80])


def unknown_cells(gold: Reading, *, computed: bool) -> list[str]:
    """Return the cells of *gold* whose right value nobody knows."""

    def lost(cell: Cell) -> bool:
        return unknown_function(cell.value, cell.formula) if computed else not cell.known

    return [
        cell_name(str(part.sheet), row, column)
        for part in gold.parts
        for (row, column), cell in sorted(part.cells.items())
        if lost(cell)
    ]

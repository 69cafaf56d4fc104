"""Reads a workbook nobody has vouched for: `python read_workbook.py WORKBOOK ANSWER < REQUEST`.

REQUEST and ANSWER are JSON. `{"preview": {…}}` asks for a text; `{"refs": [{"sheets": […], "first_row": …}]}` for what
the cells hold. What is wrong with a workbook ends the program with a line on standard error.
"""

import json
import sys
import zipfile
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    for name in ("numpy", "PIL"):  # openpyxl does without, and starts sooner
        sys.modules[name] = None  # type: ignore[assignment]

import openpyxl
from openpyxl.utils import range_boundaries
from openpyxl.worksheet.formula import ArrayFormula, DataTableFormula

MB = 1024 * 1024
MOST_ENTRIES, MOST_BYTES, MOST_RATIO, SMALL = 5_000, 500 * MB, 200, 10 * MB
MOST_CELLS = 2_000_000
FORMULA_CHARS = 300


def refuse_bombs(path: str) -> None:
    """End the program when the archive *path* would unpack to something unreasonable, or holds macros."""
    if not zipfile.is_zipfile(path):
        sys.exit("not an .xlsx workbook: no zip archive")
    with zipfile.ZipFile(path) as archive:
        entries = archive.infolist()
    size = sum(entry.file_size for entry in entries)
    packed = sum(entry.compress_size for entry in entries)
    if len(entries) > MOST_ENTRIES:
        sys.exit(f"{len(entries)} entries in the workbook; at most {MOST_ENTRIES} are read")
    if size > MOST_BYTES or (size > SMALL and size > MOST_RATIO * packed):
        sys.exit(f"the workbook unpacks from {packed} to {size} bytes; that is not read")
    names = [entry.filename for entry in entries]
    if any(".." in name.split("/") or name.startswith("/") for name in names):
        sys.exit("the workbook holds an entry that leads out of it")
    if any(name.endswith("vbaProject.bin") for name in names):
        sys.exit("the workbook holds macros; only plain .xlsx is read")


def opened(path: str, *, values: bool) -> Any:
    """Return the workbook, its rows to be read one by one, with cached *values* or with formulas."""
    book = openpyxl.load_workbook(path, read_only=True, data_only=values, keep_links=False)
    for sheet in book.worksheets:
        sheet.reset_dimensions()
    return book


def cells(path: str, refs: list[dict[str, Any]]) -> dict[str, Any]:
    """Return `sheets`, and for each of *refs* its `sheet` (None when there is no such) and its `cells` that are not
    empty: row, column, type, value, formula (empty for none), and whether a formula's value is known."""
    book = opened(path, values=False)
    names = [sheet.title for sheet in book.worksheets]
    cached: Any = None
    found = []
    for ref in refs:
        name = matching(ref["sheets"], names)
        rows: list[list[Any]] = []
        if name is not None:
            held = list(within(book[name], ref))
            if any(cell.data_type == "f" for cell in held):
                cached = cached or opened(path, values=True)
                known = {(cell.row, cell.column): cell for cell in within(cached[name], ref, all_types=True)}
                rows = [formula(cell, known) if cell.data_type == "f" else plain(cell) for cell in held]
                rows += spilled(held, rows, ref, known)
            else:
                rows = [plain(cell) for cell in held]
        found.append({"sheet": name, "cells": rows})
    return {"sheets": names, "refs": found}


def matching(wanted: list[str], names: list[str]) -> str | None:
    """Return the first of *names* that one of *wanted* means: exactly, trimmed, or whatever the case; `""` is any."""
    for one in wanted:
        if not one:
            return names[0] if names else None
        for folded in (lambda name: name, str.strip, lambda name: name.strip().casefold()):
            found = [name for name in names if folded(name) == folded(one)]
            if len(found) == 1:
                return found[0]
    return None


def within(sheet: Any, ref: dict[str, Any], *, all_types: bool = False) -> Iterator[Any]:
    """Yield the cells of *ref* that hold something, row by row."""
    count, before = 0, None
    bounds = {"min_row": ref["first_row"], "max_row": ref["last_row"]}
    for row in sheet.iter_rows(min_col=ref["first_column"], max_col=ref["last_column"], **bounds):
        if row is before:  # a gap of empty rows is one and the same row, up to a million times
            continue
        before = row
        for cell in row:
            if cell.value is not None or (all_types and getattr(cell, "data_type", "n") == "str"):
                count += 1
                if count > MOST_CELLS:
                    sys.exit(f"more than {MOST_CELLS} cells in the range")
                yield cell


def plain(cell: Any) -> list[Any]:
    """Return a cell without a formula."""
    return [cell.row, cell.column, *typed(cell.value), "", True]


def formula(cell: Any, known: dict[tuple[int, int], Any]) -> list[Any]:
    """Return a cell with a formula, and its cached value where there is one. An empty text is a value too."""
    cached = known.get((cell.row, cell.column))
    return [cell.row, cell.column, *typed(cached.value if cached else None), written(cell.value), cached is not None]


def written(value: Any) -> str:
    """Return a formula as text."""
    if isinstance(value, ArrayFormula):
        return f"{{{value.text}}}"[:FORMULA_CHARS]
    return "{TABLE()}" if isinstance(value, DataTableFormula) else str(value)[:FORMULA_CHARS]


def spilled(held: list[Any], rows: list[list[Any]], ref: dict[str, Any], known: Any) -> list[list[Any]]:
    """Return the cells that array formulas fill besides their first: empty until somebody computes them.

    Those that already hold something, in *rows*, are marked as computed there.
    """
    at = {(row[0], row[1]): row for row in rows}
    more: list[list[Any]] = []
    for cell in held:
        if not isinstance(cell.value, ArrayFormula) or not cell.value.ref or ":" not in cell.value.ref:
            continue
        left, top, right, bottom = range_boundaries(cell.value.ref)
        for row in range(max(top, ref["first_row"]), min(bottom, ref["last_row"] or bottom) + 1):
            for column in range(max(left, ref["first_column"]), min(right, ref["last_column"] or right) + 1):
                if len(more) > MOST_CELLS:
                    sys.exit(f"an array formula fills more than {MOST_CELLS} cells")
                if (row, column) not in at:
                    more.append([row, column, "none", None, written(cell.value), False])
                elif not at[row, column][4]:
                    at[row, column][4] = written(cell.value)
    return more


def typed(value: Any) -> tuple[str, Any]:
    """Return the type of *value*, and the value as JSON holds it."""
    if value is None or isinstance(value, bool):
        return "none" if value is None else "bool", value
    if isinstance(value, int | float):
        return ("number", value) if abs(value) < 1e300 else ("text", str(value))
    for kind, name in ((datetime, "datetime"), (date, "date"), (time, "time")):
        if isinstance(value, kind):
            return name, value.isoformat()
    return ("timedelta", value.total_seconds()) if isinstance(value, timedelta) else ("text", str(value))


def preview(path: str, *, sheets: int, rows: int, columns: int, width: int) -> dict[str, Any]:
    """Return `text`, which shows the first *rows* rows that hold something of the first *sheets* sheets.

    `unknown` is the number of formulas in them whose value is not stored.
    """
    book, lines, formulas = opened(path, values=False), [], set()
    for sheet in book.worksheets[:sheets]:
        shown: list[str] = []
        count = last_row = last_column = 0
        for row in sheet.iter_rows():
            held = [cell for cell in row if cell.value is not None]
            if not held:
                continue
            formulas |= {(sheet.title, cell.row, cell.column) for cell in held if cell.data_type == "f"}
            count, last_row, last_column = count + 1, held[0].row, max(last_column, held[-1].column)
            if len(shown) < rows:
                texts = [f"{cell.coordinate}={said(cell.value, width)}" for cell in held[:columns]]
                rest = len(held) - columns
                shown.append(" | ".join(texts) + (f" | ... ({rest} more cells)" if rest > 0 else ""))
        lines.append(f"Sheet {sheet.title!r}: last row {last_row}, last column {last_column}")
        lines += shown or ["(empty)"]
        if count > len(shown):
            lines.append(f"... ({count - len(shown)} more rows)")
    if len(book.worksheets) > sheets:
        lines.append(f"... ({len(book.worksheets) - sheets} more sheets)")
    return {"text": "\n".join(lines), "unknown": len(formulas - stored(path)) if formulas else 0}


def stored(path: str) -> set[tuple[str, int, int]]:
    """Return sheet, row and column of every cell whose value is stored, be it an empty text."""
    book = opened(path, values=True)
    everything = {"first_row": 1, "last_row": None, "first_column": 1, "last_column": None}
    return {
        (sheet.title, cell.row, cell.column)
        for sheet in book.worksheets
        for cell in within(sheet, everything, all_types=True)
    }


def said(value: Any, width: int) -> str:
    """Return what a cell holds on one line, at most *width* characters of it."""
    text = written(value) if isinstance(value, ArrayFormula | DataTableFormula) else str(value)
    line = " ".join(text.split())
    return line if len(line) <= width else f"{line[:width]}…"


def main(workbook: str, answer: str) -> None:
    """Answer the request on standard input."""
    request = json.load(sys.stdin)
    refuse_bombs(workbook)
    found = cells(workbook, request["refs"]) if "refs" in request else preview(workbook, **request["preview"])
    with Path(answer).open("w", encoding="utf-8", errors="replace") as file:
        json.dump(found, file)


if __name__ == "__main__":
    main(*sys.argv[1:3])

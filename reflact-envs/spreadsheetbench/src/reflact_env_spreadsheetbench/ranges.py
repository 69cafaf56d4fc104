"""The cells an answer is compared in: `answer_position`, as it is really written in the benchmark's releases.

position := ref ("," ref)*
ref      := [sheet "!"] corner [":" [sheet "!"] corner]
corner   := ["$"] column ["$"] row | column | row
sheet    := "'" text "'" (a quote doubled) | text "'" (opening quote lost) | text
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from reflact import DataError

MAX_ROW, MAX_COLUMN = 1_048_576, 16_384

_CORNER = r"(?:\$?[A-Za-z]{1,3}\$?\d{1,7}|\$?[A-Za-z]{1,3}|\$?\d{1,7})(?![A-Za-z\d$])"
_SHEET = r"(?:'(?P<{0}quoted>(?:[^']|'')+)'\s*!|(?P<{0}bare>[^!,':]+)!|(?P<{0}torn>[^!']+)'\s*!)"
_RANGE = rf"\s*'?\s*(?P<first>{_CORNER})(?:\s*:\s*(?:{_SHEET.format('again_')})?\s*(?P<last>{_CORNER}))?\s*'?\s*(?=,|$)"
_PLAIN = re.compile(_RANGE)
_NAMED = re.compile(rf"\s*{_SHEET.format('')}{_RANGE}")
_PARTS = re.compile(r"\$?(?P<column>[A-Za-z]*)\$?(?P<row>\d*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ref:
    """A rectangle of cells, both ends included. `last_row` is None for whole columns, `last_column` for whole rows.

    An empty `sheet` leaves the sheet open.
    """

    sheet: str
    first_row: int
    last_row: int | None
    first_column: int
    last_column: int | None


def parse_position(text: str) -> tuple[Ref, ...]:
    """Return the rectangles of an `answer_position`, at least one. Corners may stand in any order and any case.

    Raises `DataError` with the place in *text* for what names no cells.
    """
    refs: list[Ref] = []
    at = 0
    while at < len(text) or not refs:
        found = _PLAIN.match(text, at) or _NAMED.match(text, at)
        if found is None:
            raise DataError(
                f"answer_position {text!r} cannot be read from character {at + 1} on: {text[at:][:40]!r}. It takes "
                "cells such as A1, A1:B9, A:G or 2:5, each with or without 'Sheet name'! before it, separated by commas"
            )
        refs.append(_ref(found, text))
        at = found.end() + 1
    if text.rstrip().endswith(","):
        raise DataError(f"answer_position {text!r} ends in a comma; a range is missing")
    return tuple(refs)


def _ref(found: re.Match[str], text: str) -> Ref:
    sheet = _sheet(found, "")
    again = _sheet(found, "again_")
    if again and again != sheet:
        raise DataError(f"answer_position {text!r}: a range lies in one sheet, not in {sheet!r} and {again!r}")
    first = _corner(found["first"], text)
    last = _corner(found["last"], text) if found["last"] else first
    rows, columns = (first[0], last[0]), (first[1], last[1])
    top, bottom = _span(rows)
    left, right = _span(columns)
    return Ref(sheet=sheet, first_row=top, last_row=bottom, first_column=left, last_column=right)


def _span(ends: tuple[int | None, int | None]) -> tuple[int, int | None]:
    """Return the smaller and the larger of *ends*; one that is left open reaches from the other, or 1, to the end."""
    known = [end for end in ends if end is not None]
    if len(known) == 2:
        return min(known), max(known)
    return (known[0], None) if known else (1, None)


def _sheet(found: re.Match[str], prefix: str) -> str:
    names = found.groupdict()
    quoted = names.get(f"{prefix}quoted")
    return (
        quoted.replace("''", "'") if quoted else names.get(f"{prefix}bare") or names.get(f"{prefix}torn") or ""
    ).strip()


def _corner(text: str, position: str) -> tuple[int | None, int | None]:
    parts = _PARTS.fullmatch(text)
    assert parts is not None
    row = int(parts["row"]) if parts["row"] else None
    column = column_number(parts["column"]) if parts["column"] else None
    if (row is not None and not 1 <= row <= MAX_ROW) or (column is not None and column > MAX_COLUMN):
        raise DataError(f"answer_position {position!r}: there is no cell {text!r}; the last one is XFD{MAX_ROW}")
    return row, column


def column_number(letters: str) -> int:
    """Return the number of a column: 1 for A, 27 for aa."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def column_letters(number: int) -> str:
    """Return the letters of column *number*, 1 or more."""
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def cell_name(sheet: str, row: int, column: int) -> str:
    """Return a cell as people write it: `Sheet1!B7`."""
    return f"{sheet}!{column_letters(column)}{row}"

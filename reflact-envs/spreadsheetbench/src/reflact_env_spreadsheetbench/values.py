"""When two cells hold the same: the rules of SpreadsheetBench's official evaluation (arXiv 2406.14991)."""

from __future__ import annotations

import math
from datetime import date, datetime, time, timedelta

Value = None | bool | int | float | str | datetime | date | time | timedelta
"""What a cell holds."""

_EPOCH = datetime(1899, 12, 30)
_DAY_S = 86_400


def same(expected: Value, got: Value) -> bool:
    """Return whether two cells hold the same.

    Numbers, and texts that are numbers, are compared at two decimals, truth values as 1 and 0, points in time by the
    day, times by the minute; empty text is the same as nothing. Texts such as `nan` and `inf` are compared as texts.
    """
    first, second = _plain(expected), _plain(got)
    if first in (None, "") and second in (None, ""):
        return True
    return type(first) is type(second) and first == second


def _plain(value: Value) -> Value:
    if isinstance(value, int | float | str):
        return _number(value)
    if isinstance(value, datetime):
        return float(round((value.replace(tzinfo=None) - _EPOCH).total_seconds() / _DAY_S, 0))
    return str(value)[:-3] if isinstance(value, time) else value


def _number(value: float | str) -> float | str:
    try:
        number = round(float(value), 2)
    except (ValueError, OverflowError):
        return str(value)
    return number if math.isfinite(number) else str(value)

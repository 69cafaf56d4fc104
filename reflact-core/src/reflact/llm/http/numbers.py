"""Numbers that servers report, taken only where they are some."""

from math import isfinite
from typing import Any


def count(value: Any) -> int:
    """Return *value* where it is a count, else zero."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def dollars(value: Any) -> float | None:
    """Return *value* where it is an amount of money, `None` for all else: a truth value, NaN, a negative number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if isfinite(value) and value >= 0 else None

"""How long a server asks to be left alone."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite


def retry_after_s(headers: Mapping[str, str], *, now: datetime | None = None) -> float | None:
    """Return the seconds that *headers*, with names in lower case, ask to wait; `None` when they do not say.

    `retry-after-ms` comes before `retry-after`, which is a number of seconds or a date.
    """
    if (exact := _number(headers.get("retry-after-ms", ""))) is not None:
        return exact / 1000
    told = headers.get("retry-after", "").strip()
    if (seconds := _number(told)) is not None:
        return seconds
    try:
        until = parsedate_to_datetime(told)
    except ValueError:
        return None
    until = until if until.tzinfo else until.replace(tzinfo=UTC)
    return max(0.0, (until - (now or datetime.now(UTC))).total_seconds())


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if isfinite(number) and number >= 0 else None

"""Numbers as a person reads them."""

from collections.abc import Mapping, Sequence
from typing import Any


def percent(share: float) -> str:
    """Return *share* (0..1) as `6 %`; never a rounded 0 % or 100 % that is not quite so."""
    rounded = round(share * 100)
    if 0 < share < 1:
        rounded = min(99, max(1, rounded))
    return f"{rounded} %"


def score(share: float) -> str:
    """Return *share* (0..1) with three decimals."""
    return f"{share:.3f}"


def counted(test: Mapping[str, Any]) -> str:
    """Return `3/50 (6 %, 2–16 %)` from {right, n, interval_95}: the score and its 95 % interval."""
    right, n = int(test["right"]), int(test["n"])
    low, high = (round(bound * 100) for bound in test["interval_95"])
    return f"{right}/{n} ({percent(right / n)}, {low}–{high} %)" if n else "nothing could be scored"


def ended(endings: Mapping[str, int]) -> str:
    """Return `2 refused, 1 truncated` from {outcome: how many}; empty for none."""
    return ", ".join(f"{n} {outcome}" for outcome, n in endings.items())


def points(delta: float) -> str:
    """Return a difference of shares in percentage points: `+86 points`, `no change`."""
    rounded = round(delta * 100, 0 if abs(delta) >= 0.01 else 1)
    if not rounded:
        return "no change"
    return f"{rounded:+g} point{'' if abs(rounded) == 1 else 's'}"


def duration(seconds: float) -> str:
    """Return *seconds* as `0.4 s`, `42 s`, `3 min 5 s` or `2 h 10 min`."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if not minutes:
        return f"{rest} s"
    hours, minutes_left = divmod(minutes, 60)
    return f"{hours} h {minutes_left} min" if hours else f"{minutes} min {rest} s"


def dollars(amount: float) -> str:
    """Return an *amount* of US dollars as `$1.23`; what is less than a cent has four decimals, and is never $0.00."""
    if 0 < amount < 0.0001:
        return "less than $0.0001"
    return f"${amount:,.4f}" if 0 < amount < 0.01 else f"${amount:,.2f}"


def size(characters: int) -> str:
    """Return a number of bytes or *characters* as `812`, `14 k` or `2.3 M`."""
    if characters < 1000:
        return str(characters)
    return f"{characters / 1000:.0f} k" if characters < 1_000_000 else f"{characters / 1_000_000:.1f} M"


def many(count: int, noun: str) -> str:
    """Return `1 edit`, `4 edits`, `3 replies`."""
    if count == 1:
        return f"{count} {noun}"
    return f"{count:,} {noun[:-1]}ies" if noun.endswith("ply") else f"{count:,} {noun}{_plural(noun)}"


def _plural(noun: str) -> str:
    return "es" if noun.endswith("tch") else "s"


def table(rows: Sequence[Sequence[str]], *, indent: str = "  ") -> list[str]:
    """Return *rows* as aligned lines: the first column to the left, all others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))] if rows else []
    lines = []
    for row in rows:
        cells = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        lines.append((indent + "  ".join([row[0].ljust(widths[0]), *cells])).rstrip())
    return lines


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return *rows* as aligned lines, every column to the left."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))] if rows else []
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]

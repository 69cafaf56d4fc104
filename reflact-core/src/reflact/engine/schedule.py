"""How many edits a step may keep: a pure function of the step's number."""

from math import cos, pi
from typing import Literal

Scheduler = Literal["constant", "linear", "cosine"]


def edit_budget(step: int, *, total: int, high: int, low: int, scheduler: Scheduler) -> int:
    """Return the edit budget of *step* (from 1) of *total*, falling from *high* to *low*; halves round to even."""
    if scheduler == "constant" or total <= 1:
        return high
    share = min(step, total) / total
    if scheduler == "linear":
        return max(low, round(high + (low - high) * share))
    return max(low, round(low + 0.5 * (high - low) * (1 + cos(pi * share))))

"""The time an agent has for one issue."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Clock:
    """Runs for `seconds` from its making."""

    seconds: float
    now: Callable[[], float] = field(default=time.monotonic, repr=False)
    _began: float = field(init=False, default=0.0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_began", self.now())

    def left(self, most: float) -> float:
        """Return the seconds that are left, at most *most* and never less than nothing."""
        return max(0.0, min(most, self.seconds - (self.now() - self._began)))


LATE = {"output": "", "returncode": -1, "exception_info": "not run: the time for this issue is over"}
"""What a command brings that comes too late."""

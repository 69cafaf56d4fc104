"""Sums over the calls of a run, by role and stage, which can be asked for while calls are still coming in."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from reflact.llm.budget import Spent
from reflact.llm.calls import Call
from reflact.store.codec import plain
from reflact.types import Usage


@dataclass(slots=True)
class _Sums:
    """What the calls of one role come to; `priced` is how many of them have a price."""

    model: str
    failed: int = 0
    from_cache: int = 0
    usage: Usage = field(default_factory=Usage)
    priced: int = 0
    usd: float = 0.0
    unpriced: int = 0
    seconds: float = 0.0
    stages: dict[str, Usage] = field(default_factory=dict)

    def add(self, call: Call) -> None:
        self.failed += bool(call.error)
        self.from_cache += call.cached
        self.usage += call.usage
        self.priced += call.usd is not None
        self.usd += call.usd or 0.0
        self.unpriced += call.usage.calls if call.usd is None and not call.error else 0
        self.seconds += call.seconds
        self.stages[call.stage] = self.stages.get(call.stage, Usage()) + call.usage

    def told(self) -> dict[str, Any]:
        return {
            "model": self.model,
            "usage": plain(self.usage),
            "stages": {stage: plain(usage) for stage, usage in sorted(self.stages.items())},
            "failed": self.failed,
            "from_cache": self.from_cache,
            "unpriced": self.unpriced,
            "usd": round(self.usd, 6) if self.priced or not self.unpriced else None,
            "seconds": round(self.seconds, 3),
        }


class Totals:
    """The sums of *calls*, and of those that are added later. Thread-safe."""

    def __init__(self, calls: Iterable[Call] = ()) -> None:
        self._lock = threading.Lock()
        self._roles: dict[str, _Sums] = {}
        for call in calls:
            self.add(call)

    def add(self, call: Call) -> None:
        """Count *call*."""
        with self._lock:
            self._roles.setdefault(call.role, _Sums(call.model)).add(call)

    def table(self) -> dict[str, dict[str, Any]]:
        """Return role -> {model, usage, stages, failed, from_cache, unpriced, usd, seconds}, ready for JSON.

        Failed calls are among `usage.calls`, replies from the cache are not. `usd` is the sum of what is priced, and
        None when nothing is; `unpriced` is how many calls with a reply have no price.
        """
        with self._lock:
            return {role: sums.told() for role, sums in sorted(self._roles.items())}

    def spent(self) -> Mapping[str, Spent]:
        """Return the sums by role as a budget counts them."""
        with self._lock:
            return {
                role: Spent(calls=sums.usage.calls, tokens=sums.usage.prompt + sums.usage.completion, usd=sums.usd)
                for role, sums in self._roles.items()
            }

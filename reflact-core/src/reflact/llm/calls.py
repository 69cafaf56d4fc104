"""One call to a model as it goes on record, and what a process has spent so far."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from reflact.types import Usage

UsageTable = Mapping[str, Mapping[str, Usage]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call that was made, for the ledger. A call that failed counts as one, with no tokens."""

    role: str
    stage: str
    model: str
    usage: Usage
    seconds: float
    error: str = ""
    """The fault of a call that gave no reply."""
    attempt: int = 1
    """Which attempt at the same request this was."""
    usd: float | None = None
    """What it cost in US dollars; None when nobody knows."""
    cached: bool = False
    """Whether the reply came from the reply cache: then nothing was called, and nothing paid."""


class Ledger:
    """What a process has spent, by role and stage; every call is passed on to *sink*."""

    def __init__(self, sink: Callable[[Call], None] = lambda call: None) -> None:
        self._sink = sink
        self._lock = threading.Lock()
        self._table: dict[str, dict[str, Usage]] = {}

    def add(self, call: Call) -> None:
        """Count *call*."""
        with self._lock:
            stages = self._table.setdefault(call.role, {})
            stages[call.stage] = stages.get(call.stage, Usage()) + call.usage
            self._sink(call)

    def table(self) -> dict[str, dict[str, Usage]]:
        """Return role -> stage -> usage so far."""
        with self._lock:
            return {role: dict(stages) for role, stages in self._table.items()}

"""One attempt at a call: allowed by the budget, timed, priced and put on record, whatever becomes of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from reflact.contracts import RoleName
from reflact.errors import BackendError
from reflact.llm.budget import Purse
from reflact.llm.calls import Call, Ledger
from reflact.llm.prices import PriceList
from reflact.types import ChatReply, ExecResult, Usage
from reflact.types.calls import ONE_CALL

Got = TypeVar("Got", ChatReply, ExecResult)


@dataclass(frozen=True, slots=True, kw_only=True)
class Meter:
    """Counts the calls of a role to a model."""

    role: RoleName
    model: str
    ledger: Ledger
    purse: Purse
    prices: PriceList

    def measured(self, make: Callable[[], Got], *, stage: str, attempt: int) -> Got:
        """Return what *make* returns. Raises what it raises, and `BudgetError` instead of making it."""
        self.purse.reserve(self.role)
        started = time.monotonic()
        try:
            got = make()
        except BaseException as error:
            fault = error.fault if isinstance(error, BackendError) else type(error).__name__
            self._record(stage, ONE_CALL, started, attempt, error=fault)
            raise
        named = got.model if isinstance(got, ChatReply) else ""
        self._record(stage, got.usage, started, attempt, usd=self.prices.usd(got.usage, got.usd, self.model, named))
        return got

    def remembered(self, stage: str) -> None:
        """Put on record that a reply came from the cache."""
        free = Call(role=self.role, stage=stage, model=self.model, usage=Usage(), seconds=0.0, usd=0.0, cached=True)
        self.ledger.add(free)

    def _record(
        self, stage: str, usage: Usage, started: float, attempt: int, *, usd: float | None = None, error: str = ""
    ) -> None:
        seconds = round(time.monotonic() - started, 3)
        self.purse.settle(self.role, usage, usd)
        self.ledger.add(
            Call(
                role=self.role,
                stage=stage,
                model=self.model,
                usage=usage,
                seconds=seconds,
                error=error,
                attempt=attempt,
                usd=usd,
            )
        )

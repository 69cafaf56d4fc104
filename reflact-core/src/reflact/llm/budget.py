"""What a run may still spend: every call asks before it is made, and is settled when it is over."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from reflact.config.spend import Budget, RoleBudget
from reflact.contracts import RoleName
from reflact.errors import BudgetError
from reflact.types import Usage

Unit = Literal["calls", "tokens", "usd"]
UNITS: tuple[Unit, ...] = ("calls", "tokens", "usd")
ROLES: tuple[RoleName, ...] = ("teacher", "student", "judge")
WITH_THE_TEACHER: frozenset[RoleName] = frozenset({"teacher", "judge"})
"""The judge counts with the teacher: both are what the method costs besides the student's work."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What calls took."""

    calls: int = 0
    tokens: int = 0
    usd: float = 0.0

    def plus(self, usage: Usage, usd: float | None) -> Spent:
        """Return this and a call of *usage* at *usd*, where None is not priced and counts nothing."""
        tokens = self.tokens + usage.prompt + usage.completion
        return Spent(self.calls + usage.calls, tokens, self.usd + (usd or 0.0))


@dataclass(frozen=True, slots=True)
class Cap:
    """One bound of a budget: what its key is, whose spending it bounds, in which unit, and how much is allowed."""

    key: str
    roles: frozenset[RoleName]
    unit: Unit
    most: float


def caps(budget: Budget) -> tuple[Cap, ...]:
    """Return the bounds that *budget* sets."""
    whole = _caps("budget", budget, frozenset(ROLES))
    teacher = _caps("budget.teacher", budget.teacher, WITH_THE_TEACHER)
    return (*whole, *teacher, *_caps("budget.student", budget.student, frozenset({"student"})))


def _caps(section: str, part: RoleBudget, roles: frozenset[RoleName]) -> Iterable[Cap]:
    for unit in UNITS:
        most = getattr(part, unit)
        if most is not None:
            yield Cap(f"{section}.{unit}", roles, unit, most)


class Purse:
    """Lets calls be made as long as *budget* lasts. Thread-safe.

    *before* is what earlier processes of the run have spent, by role. Calls are exact: those under way count as made.
    Tokens and dollars are known when a call is over, so calls already under way may still go beyond such a bound.
    """

    def __init__(
        self,
        budget: Budget | None = None,
        before: Mapping[str, Spent] | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        bounds = budget or Budget()
        self._caps = {role: tuple(cap for cap in caps(bounds) if role in cap.roles) for role in ROLES}
        self._idle = not any(self._caps.values()) and bounds.minutes is None
        self._minutes = bounds.minutes
        self._clock = clock
        self._started = clock()
        self._lock = threading.Lock()
        self._spent = {role: (before or {}).get(role, Spent()) for role in ROLES}
        self._under_way: dict[RoleName, int] = dict.fromkeys(ROLES, 0)

    def reserve(self, role: RoleName) -> None:
        """Make room for a call of *role*, which `settle` must follow. Raises `BudgetError` when there is none."""
        if self._idle:
            return
        with self._lock:
            if self._minutes is not None and self._clock() - self._started >= 60 * self._minutes:
                raise BudgetError(
                    f"budget.minutes: the {self._minutes:g} minutes this process may take are over.",
                    key="budget.minutes",
                )
            for cap in self._caps[role]:
                if sum(map(self._amount(cap.unit), cap.roles)) >= cap.most:
                    raise BudgetError(self._told(cap), key=cap.key)
            self._under_way[role] += 1

    def settle(self, role: RoleName, usage: Usage, usd: float | None) -> None:
        """Count a call that was reserved: what it took, and its price where that is known."""
        if self._idle:
            return
        with self._lock:
            self._under_way[role] -= 1
            self._spent[role] = self._spent[role].plus(usage, usd)

    def _amount(self, unit: Unit) -> Callable[[RoleName], float]:
        if unit == "calls":
            return lambda role: self._spent[role].calls + self._under_way[role]
        return lambda role: getattr(self._spent[role], unit)

    def _told(self, cap: Cap) -> str:
        amount = self._amount(cap.unit)
        by_whom = ", ".join(f"{role} {_number(cap.unit, amount(role))}" for role in ROLES if amount(role))
        most = _number(cap.unit, cap.most) + ("" if cap.unit == "usd" else f" {cap.unit}")
        return f"{cap.key}: the {most} that may be spent are spent ({by_whom})."


def _number(unit: Unit, amount: float) -> str:
    return f"${amount:,.4f}".rstrip("0").rstrip(".") if unit == "usd" else f"{amount:,.0f}"

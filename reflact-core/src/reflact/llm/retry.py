"""The one retry policy: which failed calls are made again, how often and after how long."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from reflact.errors import BackendError
from reflact.llm.limiter import Limiter
from reflact.pool import check, pause

Got = TypeVar("Got")


@dataclass(frozen=True, slots=True, kw_only=True)
class Retry:
    """Makes a call up to `1 + retries` times, as long as its faults are passing ones.

    The waits between grow exponentially with full jitter (Brooker, 2015): a random part of *base_s*, twice *base_s*,
    and so on, up to *cap_s*. A `Retry-After` of at most *max_wait_s* is honoured by everybody who asks the same
    model; a longer one ends the call. A call that was refused because too many were made together is not to
    blame: as many such refusals as there are retries are forgiven.
    """

    retries: int = 4
    max_wait_s: float = 120.0
    base_s: float = 0.5
    cap_s: float = 30.0
    sleep: Callable[[float], None] = pause
    chance: Callable[[], float] = random.random

    def run(self, make: Callable[[int], Got], limiter: Limiter) -> Got:
        """Return what `make(attempt)` returns, attempts counted from 1, each in a turn of *limiter*.

        Raises the last `BackendError`, which then says how many attempts there were, and `reflact.pool.Stopped`.
        """
        attempt = failures = forgiven = 0
        while True:
            attempt += 1
            check()
            ticket = limiter.enter()
            try:
                got = make(attempt)
            except BackendError as error:
                blamed = self._ended(error, limiter, ticket)
                failures, forgiven = (failures + 1, forgiven) if blamed else (failures, forgiven + 1)
                why = self._hopeless(error, failures + max(0, forgiven - self.retries))
                if why is not None:
                    raise _given_up(error, attempt, why) from error
                self.sleep(self._wait_s(error, attempt))
            except BaseException:
                limiter.leave(ticket)
                raise
            else:
                limiter.leave(ticket, good=True)
                return got

    def _hopeless(self, error: BackendError, failures: int) -> str | None:
        """Return why the call is not made again, which may be obvious (an empty text); None when it is."""
        if not error.passing or not self.retries:
            return ""
        if error.retry_after_s is not None and error.retry_after_s > self.max_wait_s:
            asked, most = f"{error.retry_after_s:g} s", f"{self.max_wait_s:g} s"
            return f"The server asks to be left alone for {asked}, longer than `max_wait_s` ({most}) waits."
        return "" if failures > self.retries else None

    def _ended(self, error: BackendError, limiter: Limiter, ticket: int) -> bool:
        """End the turn of a call that failed; return whether that is held against it."""
        if not _too_much(error):
            limiter.leave(ticket)
            return True
        asked = error.retry_after_s or 0.0
        return limiter.refused(ticket, asked if asked <= self.max_wait_s else 0.0)

    def _wait_s(self, error: BackendError, attempt: int) -> float:
        if error.retry_after_s is not None:
            return error.retry_after_s + self.chance() * self.base_s
        return self.chance() * min(self.cap_s, self.base_s * 2.0 ** min(attempt - 1, 30))


def _too_much(error: BackendError) -> bool:
    """Return whether the server says that it has too much to do, not that it is broken."""
    return error.fault == "rate_limit" or (error.fault == "unavailable" and error.retry_after_s is not None)


def _given_up(error: BackendError, attempts: int, why: str) -> BackendError:
    told = [str(error), why, f"({attempts} attempts)" if attempts > 1 else ""]
    return BackendError(" ".join(filter(None, told)), fault=error.fault, retry_after_s=error.retry_after_s)

"""How many calls to one model are made at once: fewer when the server says it is too much, more as it copes again."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

from reflact.pool import wait


class Limiter:
    """Lets at most `limit` calls at a time through, first come, first served. Thread-safe.

    Additive increase, multiplicative decrease (Chiu and Jain, 1989): a call the server refuses halves the limit, once
    for all calls that were under way together; as many successes as the limit is raise it by one, up to *most*.
    """

    def __init__(self, most: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._clock = clock
        self._lock = threading.Lock()
        self._limit = most
        self._under_way = 0
        self._cuts = 0
        self._successes = 0
        self._closed_until = 0.0
        self._queue: deque[threading.Event] = deque()

    @property
    def limit(self) -> int:
        """How many calls are let through at once at present."""
        return self._limit

    @property
    def room(self) -> bool:
        """Whether a call would be let through at once."""
        with self._lock:
            return not self._queue and self._wait_s() == 0

    @property
    def waiting(self) -> int:
        """How many calls wait for their turn at present."""
        return len(self._queue)

    def enter(self) -> int:
        """Wait for a turn and return its ticket, which `leave` or `refused` takes. Raises `reflact.pool.Stopped`."""
        with self._lock:
            if not self._queue and self._wait_s() == 0:
                self._under_way += 1
                return self._cuts
            turn = threading.Event()
            self._queue.append(turn)
        return self._queued(turn)

    def leave(self, ticket: int, *, good: bool = False) -> None:
        """End the turn of *ticket*; *good* when the server gave a reply."""
        with self._lock:
            self._under_way -= 1
            if good and ticket == self._cuts and self._limit < self._most:
                self._successes += 1
                if self._successes >= self._limit:
                    self._limit, self._successes = self._limit + 1, 0
            self._call_next()

    def refused(self, ticket: int, wait_s: float = 0.0) -> bool:
        """End the turn of *ticket*, which the server refused as too much; nobody enters for the next *wait_s* seconds.

        Returns whether the call was let through alone and was refused all the same. If it was not, or if the limit was
        lowered after its turn had begun, the call may have been one too many, and is not to blame.
        """
        with self._lock:
            together = min(self._limit, self._under_way)
            news = ticket == self._cuts
            if news:
                self._limit = max(1, together // 2)
                self._cuts, self._successes = self._cuts + 1, 0
            self._closed_until = max(self._closed_until, self._clock() + wait_s)
            self._under_way -= 1
            self._call_next()
            return news and together == 1

    def _queued(self, turn: threading.Event) -> int:
        try:
            while True:
                with self._lock:
                    wait_s = self._wait_s() if self._queue[0] is turn else None
                    if wait_s == 0:
                        self._queue.popleft()
                        self._under_way += 1
                        self._call_next()
                        return self._cuts
                wait(turn, wait_s)
                turn.clear()
        except BaseException:
            with self._lock:
                if turn in self._queue:
                    self._queue.remove(turn)
                self._call_next()
            raise

    def _wait_s(self) -> float | None:
        """Return for how many seconds nobody may enter; None when that depends on the calls under way."""
        if self._under_way >= self._limit:
            return None
        return max(0.0, self._closed_until - self._clock())

    def _call_next(self) -> None:
        if self._queue and self._under_way < self._limit:
            self._queue[0].set()

"""Lends game processes, and keeps those that come back whole: starting one takes seconds, a game fractions of one."""

import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

from reflact_env_alfworld.games.process import GameProcess

GAMES_PER_PROCESS = 200
"""After so many games a process is replaced, so that what the libraries do not give back cannot pile up."""


class Processes:
    """Implements `Games` with at most *keep* idle processes, made by *start*. Idle ones end with this object."""

    def __init__(self, start: Callable[[], GameProcess], *, keep: int) -> None:
        self._start = start
        self._keep = keep
        self._lock = Lock()
        self._idle: list[GameProcess] = []
        weakref.finalize(self, _end, self._idle)

    @contextmanager
    def lend(self) -> Iterator[GameProcess]:
        """Lend a process to one thread. One whose block ends in an exception is ended, for it may hang."""
        with self._lock:
            kept = self._idle.pop() if self._idle else None
        process = kept or self._start()
        whole = False
        try:
            yield process
            whole = True
        finally:
            with self._lock:
                stays = whole and len(self._idle) < self._keep and process.games < GAMES_PER_PROCESS
                if stays:
                    self._idle.append(process)
            if not stays:
                process.close()

    def close(self) -> None:
        """End all processes that are not lent."""
        with self._lock:
            _end(self._idle)


def _end(processes: list[GameProcess]) -> None:
    while processes:
        processes.pop().close()

"""A second call for one that takes too long: the first good reply counts, and the other call is still on record."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from typing import TypeVar

from reflact.pool import Stop, new_stop, under

Got = TypeVar("Got")


class Hedge:
    """Makes a call a second time when there is no reply after *after_s* seconds (Dean and Barroso, 2013).

    *most* is how many calls may be waited for at once. A call whose reply has become useless is let go of before it
    is made; one that is under way goes on, and is counted when it comes.
    """

    def __init__(self, after_s: float, *, most: int) -> None:
        self._after_s = after_s
        self._threads = ThreadPoolExecutor(max_workers=2 * most, thread_name_prefix="hedge")

    def run(self, make: Callable[[], Got], room: Callable[[], bool]) -> Got:
        """Return the first good reply of *make*, which is called again only if there is *room* for a second call then.

        Raises the error of the first call when neither gave a reply.
        """
        stop = new_stop()
        try:
            first = self._begin(make, stop)
            done, _ = wait([first], timeout=self._after_s)
            if done or not room():
                return first.result()
            return self._either(first, self._begin(make, stop))
        finally:
            stop.set()

    def settle(self) -> None:
        """Wait for the calls that are under way, so that all of them are counted."""
        self._threads.shutdown(wait=True)

    def _begin(self, make: Callable[[], Got], stop: Stop) -> Future[Got]:
        return self._threads.submit(copy_context().run, under, stop, make)

    def _either(self, first: Future[Got], second: Future[Got]) -> Got:
        done, _ = wait([first, second], return_when=FIRST_COMPLETED)
        for one, other in ((first, second), (second, first)):
            if one in done:
                return one.result() if one.exception() is None else _or_else(other, first)
        raise AssertionError("one of two calls is done")


def _or_else(other: Future[Got], first: Future[Got]) -> Got:
    """Return the reply of *other*; when it has none, raise what *first* raised."""
    return first.result() if other.exception() is not None else other.result()

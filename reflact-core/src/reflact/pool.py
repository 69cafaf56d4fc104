"""Run a function over items in threads; results come back as they finish, and all of it can be stopped."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing
from contextvars import ContextVar
from threading import Event, Lock
from typing import TypeVar
from weakref import WeakSet

A = TypeVar("A")
B = TypeVar("B")


class Stopped(BaseException):
    """What this thread works on is not wanted any more. Like an interrupt: nobody but the pool catches it."""


class Stop(Event):
    """Tells threads that their work is not wanted any more; one that is made within another is set with it."""

    def __init__(self) -> None:
        super().__init__()
        self._wakes: WeakSet[Event] = WeakSet()
        self._waking = Lock()

    def set(self) -> None:
        """Stop this work and all within it."""
        super().set()
        with self._waking:
            wakes = list(self._wakes)
        for event in wakes:
            event.set()

    def wake(self, event: Event) -> None:
        """Let *event* be set with this, at once if it is set already."""
        with self._waking:
            self._wakes.add(event)
        if self.is_set():
            event.set()

    def forget(self, event: Event) -> None:
        """Let *event* be set no more."""
        with self._waking:
            self._wakes.discard(event)


_STOP: ContextVar[Stop | None] = ContextVar("_STOP", default=None)


def new_stop() -> Stop:
    """Return a stop for work that belongs to what this thread does."""
    stop, outer = Stop(), _STOP.get()
    if outer is not None:
        outer.wake(stop)
    return stop


def under(stop: Stop, work: Callable[[], B]) -> B:
    """Return what *work* returns; `check` and `pause` in it raise `Stopped` once *stop* is set."""
    token = _STOP.set(stop)
    try:
        return work()
    finally:
        _STOP.reset(token)


def check() -> None:
    """Raise `Stopped` when the work of this thread is not wanted any more."""
    stop = _STOP.get()
    if stop is not None and stop.is_set():
        raise Stopped


def pause(seconds: float) -> None:
    """Sleep for *seconds*. Raises `Stopped` as soon as the work of this thread is not wanted any more."""
    wait(Event(), seconds)


def wait(event: Event, seconds: float | None = None) -> None:
    """Wait until *event* is set, or for *seconds*. Raises `Stopped` as soon as the thread's work is not wanted."""
    stop = _STOP.get()
    if stop is None:
        event.wait(seconds)
        return
    stop.wake(event)
    try:
        event.wait(seconds)
    finally:
        stop.forget(event)
    check()


def each(make: Callable[[A], B], items: Sequence[A], workers: int) -> Generator[tuple[int, B], None, None]:
    """Yield (index, result) for every item, in order of completion, at most *workers* at once.

    After an exception items not yet begun are dropped, and those that wait or are about to call a model end with
    `Stopped`; what was under way is waited for and still yielded, and then the exception is raised. Closing the
    iterator early does the same without yielding. Nothing runs on after the iterator has ended.
    """
    if not items:
        return
    stop = new_stop()
    failure: BaseException | None = None

    def begin(item: A) -> B:
        check()
        return make(item)

    def work(item: A) -> B:
        try:
            return under(stop, lambda: begin(item))
        except BaseException:
            stop.set()
            raise

    with ThreadPoolExecutor(max_workers=max(1, min(workers, len(items)))) as pool:
        futures = {pool.submit(work, item): index for index, item in enumerate(items)}
        try:
            for future in as_completed(futures):
                error = future.exception()
                if error is None:
                    yield futures[future], future.result()
                elif failure is None and not isinstance(error, Stopped):
                    failure = error
            if failure is not None:
                raise failure
            check()
        finally:
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)


def in_order(
    make: Callable[[A], B], items: Sequence[A], workers: int, *, done: Callable[[], None] = lambda: None
) -> tuple[B, ...]:
    """Return the results of all items, in item order; *done* is called once for each as it finishes."""
    results: dict[int, B] = {}
    with closing(each(make, items, workers)) as finished:
        for index, result in finished:
            results[index] = result
            done()
    return tuple(results[index] for index in range(len(items)))

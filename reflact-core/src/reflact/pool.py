"""Run a function over items in threads; results come back as they finish."""

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor, as_completed
from contextlib import closing
from threading import Event
from typing import TypeVar

A = TypeVar("A")
B = TypeVar("B")


def each(make: Callable[[A], B], items: Sequence[A], workers: int) -> Generator[tuple[int, B], None, None]:
    """Yield (index, result) for every item, in order of completion, at most *workers* at once.

    The first exception is raised here; items not yet begun are then dropped. Closing the iterator early does the same.
    Calls under way are waited for, so that nothing runs on after the iterator has ended.
    """
    if not items:
        return
    stop = Event()

    def work(item: A) -> B:
        if stop.is_set():
            raise CancelledError
        try:
            return make(item)
        except BaseException:
            stop.set()
            raise

    with ThreadPoolExecutor(max_workers=max(1, min(workers, len(items)))) as pool:
        futures = {pool.submit(work, item): index for index, item in enumerate(items)}
        try:
            for future in as_completed(futures):
                if not isinstance(future.exception(), CancelledError):
                    yield futures[future], future.result()
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

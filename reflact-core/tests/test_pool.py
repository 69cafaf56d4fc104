"""Threads over items: completion order for who wants it, item order for who needs it."""

from __future__ import annotations

import threading
import time
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reflact.pool import each, in_order, pause

PATIENCE_S = 10
NEVER = threading.Event()


@given(st.lists(st.integers(), max_size=30), st.integers(0, 9))
def test_every_item_gets_its_result_at_its_place(items: list[int], workers: int) -> None:
    assert in_order(str, items, workers) == tuple(map(str, items))
    assert sorted(each(str, items, workers)) == [(index, str(item)) for index, item in enumerate(items)]


def test_results_come_as_they_finish() -> None:
    first_may_end = threading.Event()

    def work(name: str) -> str:
        if name == "slow":
            assert first_may_end.wait(PATIENCE_S)
        return name

    finished = each(work, ["slow", "quick"], 2)
    assert next(finished) == (1, "quick")
    first_may_end.set()
    assert list(finished) == [(0, "slow")]


def test_no_more_run_at_once_than_there_are_workers() -> None:
    running, most, lock = [0], [0], threading.Lock()
    all_in = threading.Barrier(3, timeout=PATIENCE_S)

    def work(_: int) -> None:
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        all_in.wait()
        with lock:
            running[0] -= 1

    in_order(work, range(30), 3)
    assert most[0] == 3


def test_the_first_error_is_raised_and_what_has_not_begun_is_dropped() -> None:
    begun: list[int] = []

    def work(number: int) -> None:
        begun.append(number)
        if number == 1:
            raise ZeroDivisionError(number)
        NEVER.wait(0.01)

    with pytest.raises(ZeroDivisionError):
        list(each(work, range(100), 1))
    assert 2 <= len(begun) < 100


def test_an_error_among_many_workers_is_raised_as_it_is() -> None:
    def work(number: int) -> int:
        if number % 7 == 3:
            raise ZeroDivisionError(number)
        return number

    for _ in range(20):
        with pytest.raises(ZeroDivisionError):
            in_order(work, range(200), 8)


def test_what_is_under_way_has_ended_when_the_iterator_has() -> None:
    started, ended = threading.Event(), threading.Event()

    def work(number: int) -> int:
        if number == 0:
            started.wait(PATIENCE_S)
            raise ZeroDivisionError
        started.set()
        NEVER.wait(0.2)
        ended.set()
        return number

    with pytest.raises(ZeroDivisionError):
        in_order(work, range(2), 2)
    assert ended.is_set()


def test_closing_early_drops_what_has_not_begun() -> None:
    begun: list[int] = []

    def work(number: int) -> None:
        begun.append(number)
        NEVER.wait(0.01)

    with closing(each(work, range(1000), 1)) as finished:
        next(finished)
    after = len(begun)
    NEVER.wait(0.05)
    assert after == len(begun) < 1000


def test_each_finished_item_is_told() -> None:
    told: list[None] = []
    in_order(str, range(7), 3, done=lambda: told.append(None))
    assert len(told) == 7


def test_an_error_of_the_listener_stops_the_work_too() -> None:
    begun: list[int] = []

    def work(number: int) -> None:
        begun.append(number)
        NEVER.wait(0.01)

    def fail() -> None:
        raise KeyError("screen")

    with pytest.raises(KeyError, match="screen"):
        in_order(work, range(1000), 1, done=fail)
    after = len(begun)
    NEVER.wait(0.05)
    assert after == len(begun) < 1000


def test_what_was_under_way_when_one_failed_is_still_yielded() -> None:
    begun = threading.Barrier(3)

    def make(item: int) -> int:
        begun.wait(5)
        if item == 1:
            raise ValueError("one failed")
        time.sleep(0.1)
        return item

    got: list[tuple[int, int]] = []
    with pytest.raises(ValueError, match="one failed"):
        got.extend(each(make, [0, 1, 2], 3))
    assert sorted(got) == [(0, 0), (2, 2)]


def test_a_pause_ends_when_another_item_fails() -> None:
    begun = threading.Barrier(2)

    def make(item: int) -> None:
        begun.wait(5)
        if item:
            raise ValueError("no")
        pause(60)

    started = time.monotonic()
    with pytest.raises(ValueError, match="no"):
        list(each(make, [0, 1], 2))
    assert time.monotonic() - started < 5


def test_a_pool_within_an_item_stops_with_it() -> None:
    begun = threading.Barrier(2)

    def inner(_: int) -> None:
        begun.wait(5)
        pause(60)

    def make(item: int) -> None:
        if item:
            begun.wait(5)
            raise ValueError("no")
        list(each(inner, [0], 1))

    started = time.monotonic()
    with pytest.raises(ValueError, match="no"):
        list(each(make, [0, 1], 2))
    assert time.monotonic() - started < 5

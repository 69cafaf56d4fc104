"""Turns: as many as the server copes with, in the order they were asked for."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from reflact.errors import BackendError
from reflact.llm.limiter import Limiter
from reflact.llm.retry import Retry
from reflact.pool import Stopped, new_stop, under


def enter(limiter: Limiter, times: int) -> list[int]:
    return [limiter.enter() for _ in range(times)]


def wait_until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_a_refusal_halves_what_was_under_way_once_for_all_calls_of_a_round_trip() -> None:
    limiter = Limiter(256)
    tickets = enter(limiter, 16)
    assert not any(limiter.refused(ticket) for ticket in tickets)
    assert limiter.limit == 8


def test_a_call_that_was_let_through_alone_is_to_blame_itself() -> None:
    limiter = Limiter(256)
    assert limiter.refused(limiter.enter())


def test_a_window_of_successes_raises_the_limit_by_one_up_to_the_most() -> None:
    limiter = Limiter(4)
    tickets = enter(limiter, 4)
    limiter.refused(tickets[0])
    for ticket in tickets[1:]:
        limiter.leave(ticket, good=True)
    assert limiter.limit == 2, "calls that began before the cut say nothing about the new limit"
    limits = []
    for _ in range(10):
        limiter.leave(limiter.enter(), good=True)
        limits.append(limiter.limit)
    assert limits == [2, 3, 3, 3, 4, 4, 4, 4, 4, 4]


def test_one_call_at_a_time_is_the_least() -> None:
    limiter = Limiter(1)
    for _ in range(3):
        limiter.refused(limiter.enter())
    assert limiter.limit == 1


def test_those_who_wait_enter_in_the_order_they_came() -> None:
    limiter = Limiter(1)
    ticket = limiter.enter()
    order: list[int] = []

    def visit(number: int) -> None:
        mine = limiter.enter()
        order.append(number)
        limiter.leave(mine)

    with ThreadPoolExecutor(8) as pool:
        for number in range(8):
            pool.submit(visit, number)
            wait_until(lambda: limiter.waiting > number)  # noqa: B023
        limiter.leave(ticket)
    assert order == list(range(8))


def test_nobody_enters_while_the_server_wants_to_be_left_alone() -> None:
    limiter = Limiter(8)
    limiter.refused(limiter.enter(), wait_s=0.1)
    began = time.monotonic()
    limiter.enter()
    assert time.monotonic() - began >= 0.09


def test_one_who_is_not_wanted_any_more_leaves_the_queue() -> None:
    limiter = Limiter(1)
    ticket = limiter.enter()
    stop = new_stop()
    threading.Timer(0.05, stop.set).start()
    with pytest.raises(Stopped):
        under(stop, limiter.enter)
    limiter.leave(ticket)
    assert limiter.enter() == 0


class Server:
    """Refuses more than *most* calls at once, and takes *seconds* for the others."""

    def __init__(self, most: int, seconds: float = 0.01) -> None:
        self._most, self._seconds = most, seconds
        self._lock = threading.Lock()
        self._busy = 0
        self.refused = 0

    def __call__(self, attempt: int) -> int:
        with self._lock:
            self._busy += 1
            too_many = self._busy > self._most
            self.refused += too_many
        time.sleep(0.001 if too_many else self._seconds)
        with self._lock:
            self._busy -= 1
        if too_many:
            raise BackendError("429: slow down", fault="rate_limit")
        return attempt


@pytest.mark.parametrize(("most", "callers"), [(1, 16), (3, 32), (8, 64), (100, 64)])
def test_it_finds_out_what_a_server_copes_with_and_every_call_succeeds(most: int, callers: int) -> None:
    server, limiter = Server(most), Limiter(256)
    retry = Retry(base_s=0.02, cap_s=0.1)
    with ThreadPoolExecutor(callers) as pool:
        attempts = list(pool.map(lambda _: retry.run(server, limiter), range(160)))
    assert len(attempts) == 160
    assert sum(attempts) == 160 + server.refused
    assert limiter.limit < callers or most > callers
    assert (server.refused == 0) == (most > callers)

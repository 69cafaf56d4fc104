"""Which failed calls are made again, how often and after how long."""

from __future__ import annotations

import threading
import time

import pytest
from reflact.errors import BackendError, BackendFault
from reflact.llm.limiter import Limiter
from reflact.llm.retry import Retry
from reflact.pool import Stopped, new_stop, under


class Flaky:
    """A call that fails as it is told, and then succeeds."""

    def __init__(self, *errors: BackendError) -> None:
        self.errors = list(errors)
        self.attempts: list[int] = []

    def __call__(self, attempt: int) -> str:
        self.attempts.append(attempt)
        if self.errors:
            raise self.errors.pop(0)
        return "reply"


def fault(kind: BackendFault, retry_after_s: float | None = None) -> BackendError:
    return BackendError(f"it was {kind}", fault=kind, retry_after_s=retry_after_s)


def retry(slept: list[float], *, retries: int = 4, chance: float = 1.0) -> Retry:
    return Retry(retries=retries, sleep=slept.append, chance=lambda: chance)


def test_a_passing_fault_is_tried_again_after_waits_that_double_up_to_a_cap() -> None:
    slept: list[float] = []
    call = Flaky(*[fault("unavailable")] * 9)
    assert retry(slept, retries=9).run(call, Limiter(4)) == "reply"
    assert slept == [0.5, 1, 2, 4, 8, 16, 30, 30, 30]
    assert call.attempts == list(range(1, 11))


def test_the_wait_is_a_random_part_of_that() -> None:
    slept: list[float] = []
    retry(slept, chance=0.25).run(Flaky(*[fault("timeout")] * 3), Limiter(4))
    assert slept == [0.125, 0.25, 0.5]


@pytest.mark.parametrize("kind", ["auth", "quota", "bad_request", "context", "protocol"])
def test_a_fault_that_does_not_pass_is_told_at_once(kind: BackendFault) -> None:
    call = Flaky(fault(kind))
    with pytest.raises(BackendError, match=f"^it was {kind}$") as caught:
        retry([]).run(call, Limiter(4))
    assert (caught.value.fault, call.attempts) == (kind, [1])


def test_the_last_cause_and_the_attempts_are_told_when_all_fail() -> None:
    call = Flaky(fault("timeout"), fault("unavailable"), fault("timeout"), fault("timeout"))
    with pytest.raises(BackendError, match=r"^it was timeout \(3 attempts\)$") as caught:
        retry([], retries=2).run(call, Limiter(4))
    assert caught.value.fault == "timeout"


def test_no_retries_means_one_attempt() -> None:
    call = Flaky(fault("rate_limit"))
    with pytest.raises(BackendError, match=r"^it was rate_limit$"):
        retry([], retries=0).run(call, Limiter(4))


def test_retry_after_is_honoured() -> None:
    slept: list[float] = []
    retry(slept, chance=0.0).run(Flaky(fault("rate_limit", 0.01)), Limiter(4))
    assert slept == [0.01]


def test_a_retry_after_of_hours_ends_the_call_at_once_and_says_so() -> None:
    call = Flaky(fault("rate_limit", 7200.0))
    with pytest.raises(BackendError, match=r"asks to be left alone for 7200 s, longer than `max_wait_s` \(120 s\)"):
        retry([]).run(call, Limiter(4))
    assert call.attempts == [1]


def test_a_wait_ends_when_the_work_is_not_wanted_any_more() -> None:
    stop = new_stop()
    threading.Timer(0.05, stop.set).start()
    began = time.monotonic()
    with pytest.raises(Stopped):
        under(stop, lambda: Retry(base_s=60, cap_s=60, chance=lambda: 1.0).run(Flaky(fault("timeout")), Limiter(1)))
    assert time.monotonic() - began < 5


def test_no_call_begins_when_the_work_is_not_wanted_any_more() -> None:
    stop, call = new_stop(), Flaky()
    stop.set()
    with pytest.raises(Stopped):
        under(stop, lambda: Retry().run(call, Limiter(1)))
    assert call.attempts == []


def test_a_turn_is_given_back_whatever_happens() -> None:
    limiter = Limiter(1)

    def broken(_: int) -> str:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Retry().run(broken, limiter)
    assert retry([]).run(Flaky(), limiter) == "reply"

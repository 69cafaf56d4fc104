"""A second call for one that takes too long."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest
from reflact import ChatReply, ChatRequest, Message, Usage
from reflact.config.spend import Budget
from reflact.errors import BackendError
from reflact.llm.budget import Purse
from reflact.llm.hedge import Hedge
from reflact.llm.limiter import Limiter
from reflact.llm.router import Bound, Call, Ledger, Ways
from reflact.testing import ScriptedModel

HELLO = ChatRequest(messages=(Message(role="user", content="hello"),), stage="rollout")


class Turns:
    """Answers the nth call as the nth function says."""

    def __init__(self, *turns: Callable[[], str]) -> None:
        self._turns = list(turns)
        self._lock = threading.Lock()

    def __call__(self, _: ChatRequest) -> ChatReply:
        with self._lock:
            turn = self._turns.pop(0)
        return ChatReply(text=turn(), usage=Usage(calls=1, prompt=1))


def slow(text: str, seconds: float = 0.3) -> Callable[[], str]:
    def say() -> str:
        time.sleep(seconds)
        return text

    return say


def broken(text: str, seconds: float = 0.0) -> Callable[[], str]:
    def fail() -> str:
        time.sleep(seconds)
        raise BackendError(text, fault="bad_request")

    return fail


def hedged(*turns: Callable[[], str], most: int = 8, purse: Purse | None = None) -> tuple[Bound, list[Call]]:
    calls: list[Call] = []
    bound = Bound(
        role="student",
        backend="f",
        model_name="m",
        kind="chat",
        model=ScriptedModel(Turns(*turns)),
        ledger=Ledger(calls.append),
        ways=Ways(hedge=Hedge(0.05, most=8), limiter=Limiter(most), purse=purse or Purse()),
    )
    return bound, calls


def settled(bound: Bound) -> None:
    assert bound.ways.hedge
    bound.ways.hedge.settle()


def test_a_quick_call_is_made_once() -> None:
    bound, calls = hedged(lambda: "quick")
    assert bound.chat(HELLO).text == "quick"
    settled(bound)
    assert len(calls) == 1


def test_the_first_reply_counts_and_the_other_call_is_still_on_record() -> None:
    bound, calls = hedged(slow("first"), lambda: "second")
    assert bound.chat(HELLO).text == "second"
    settled(bound)
    assert [call.usage.calls for call in calls] == [1, 1]


def test_a_first_reply_that_comes_late_still_wins_over_a_later_one() -> None:
    bound, _ = hedged(slow("first", 0.1), slow("second"))
    assert bound.chat(HELLO).text == "first"
    settled(bound)


def test_an_error_of_one_call_waits_for_the_other() -> None:
    bound, _ = hedged(slow("first", 0.15), broken("no"))
    assert bound.chat(HELLO).text == "first"
    settled(bound)


def test_when_both_fail_the_first_says_why() -> None:
    bound, _ = hedged(broken("the first", 0.1), broken("the second"))
    with pytest.raises(BackendError, match=r"student \(f\): the first"):
        bound.chat(HELLO)


def test_an_error_that_comes_at_once_is_no_reason_for_a_second_call() -> None:
    bound, calls = hedged(broken("no"))
    with pytest.raises(BackendError, match="no"):
        bound.chat(HELLO)
    settled(bound)
    assert len(calls) == 1


def test_no_second_call_is_made_where_others_wait_for_their_turn() -> None:
    bound, calls = hedged(slow("first", 0.15), most=1)
    assert bound.chat(HELLO).text == "first"
    settled(bound)
    assert len(calls) == 1


def test_a_budget_without_room_for_a_second_call_leaves_the_first_alone() -> None:
    bound, calls = hedged(slow("first", 0.15), purse=Purse(Budget(calls=1)))
    assert bound.chat(HELLO).text == "first"
    settled(bound)
    assert len(calls) == 1

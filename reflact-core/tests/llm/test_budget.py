"""A budget lets calls be made as long as it lasts, to the call."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from reflact import ChatReply, ChatRequest, Message, Usage
from reflact.config.spend import Budget, RoleBudget
from reflact.contracts import RoleName
from reflact.errors import BackendError, BudgetError
from reflact.llm.budget import Purse, Spent
from reflact.llm.router import Bound, Ledger, Ways
from reflact.testing import ScriptedModel

TEN = Usage(calls=1, prompt=6, completion=4)
HELLO = ChatRequest(messages=(Message(role="user", content="hello"),))


def spend(purse: Purse, role: RoleName, times: int = 1, usage: Usage = TEN, usd: float | None = None) -> None:
    for _ in range(times):
        purse.reserve(role)
        purse.settle(role, usage, usd)


def refusal(purse: Purse, role: RoleName) -> BudgetError:
    with pytest.raises(BudgetError) as caught:
        purse.reserve(role)
    return caught.value


def bound(purse: Purse, reply: Callable[[ChatRequest], ChatReply]) -> tuple[Bound, ScriptedModel]:
    model = ScriptedModel(reply)
    ways = Ways(purse=purse)
    role = Bound(role="student", backend="f", model_name="m", kind="chat", model=model, ledger=Ledger(), ways=ways)
    return role, model


def test_calls_under_way_count_as_made() -> None:
    purse = Purse(Budget(calls=2))
    purse.reserve("student")
    purse.reserve("teacher")
    assert refusal(purse, "student").key == "budget.calls"
    purse.settle("student", TEN, None)
    assert refusal(purse, "student").key == "budget.calls"


def test_many_threads_never_make_a_call_too_many() -> None:
    student, model = bound(Purse(Budget(calls=100)), lambda _: ChatReply(text="hi"))

    def ask(_: int) -> bool:
        try:
            student.chat(HELLO)
        except BudgetError:
            return False
        return True

    with ThreadPoolExecutor(16) as pool:
        made = sum(pool.map(ask, range(300)))
    assert (made, len(model.requests)) == (100, 100)


def test_a_call_that_failed_is_a_call() -> None:
    def fail(_: ChatRequest) -> ChatReply:
        raise BackendError("no route", fault="unavailable")

    student, model = bound(Purse(Budget(calls=1)), fail)
    with pytest.raises(BackendError):
        student.chat(HELLO)
    with pytest.raises(BudgetError):
        student.chat(HELLO)
    assert len(model.requests) == 1


def test_the_message_says_what_is_spent_and_by_whom() -> None:
    purse = Purse(Budget(calls=3))
    spend(purse, "teacher")
    spend(purse, "student", 2)
    told = str(refusal(purse, "student"))
    assert told == "budget.calls: the 3 calls that may be spent are spent (teacher 1, student 2)."


def test_tokens_count_prompt_and_completion() -> None:
    purse = Purse(Budget(tokens=20))
    spend(purse, "student", 2)
    assert refusal(purse, "teacher").key == "budget.tokens"


def test_the_judge_spends_the_teachers_part_and_the_student_its_own() -> None:
    purse = Purse(Budget(teacher=RoleBudget(calls=2), student=RoleBudget(calls=1)))
    spend(purse, "judge")
    spend(purse, "teacher")
    assert refusal(purse, "judge").key == "budget.teacher.calls"
    spend(purse, "student")
    assert refusal(purse, "student").key == "budget.student.calls"


def test_dollars_of_calls_without_a_price_bind_nothing_but_calls_and_tokens_still_do() -> None:
    purse = Purse(Budget(usd=0.01, calls=5))
    spend(purse, "student", 5)
    assert refusal(purse, "student").key == "budget.calls"


def test_dollars_bind_when_they_are_known() -> None:
    purse = Purse(Budget(usd=0.5))
    spend(purse, "student", 2, usd=0.25)
    assert str(refusal(purse, "student")) == "budget.usd: the $0.5 that may be spent are spent (student $0.5)."


def test_what_earlier_processes_have_spent_counts() -> None:
    purse = Purse(Budget(calls=10), {"student": Spent(calls=9)})
    spend(purse, "student")
    assert refusal(purse, "student").key == "budget.calls"


def test_minutes_are_those_of_this_process() -> None:
    now = [100.0]
    purse = Purse(Budget(minutes=2), clock=lambda: now[0])
    now[0] += 119
    spend(purse, "student")
    now[0] += 1
    assert refusal(purse, "teacher").key == "budget.minutes"


def test_no_budget_refuses_nothing() -> None:
    spend(Purse(), "student", 1000)

"""One task: graded, or recorded as not having had its chance."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter
from reflact import BackendError, ChatReply, ChatRequest, Rollout, Skill, Split, Student, Task, Usage
from reflact.errors import BackendFault
from reflact.llm.prompts import Prompts
from reflact.llm.router import Bound, Ledger
from reflact.stages.rollout import run_task
from reflact.stages.student import TaskStudent
from reflact.testing import ScriptedModel

PROMPTS = Prompts((files("reflact.prompts") / "default",))
TASK = Task(id="t1", kind="sum", data={"question": "1+1?"})
Grade = Callable[[Task, Student, Path], Any]


class World:
    """An env that grades as it is told."""

    def __init__(self, grade: Grade) -> None:
        self.grade = grade

    def tasks(self, split: Split) -> Sequence[Task]:
        return [TASK]

    def run(self, task: Task, *, skill: Skill, student: Student, workdir: Path) -> Rollout:
        result: Rollout = self.grade(task, student, workdir)
        return result


def asking(_: Task, student: Student, workdir: Path) -> Rollout:
    text = student.answer("1+1?", skill=Skill("s"), workdir=workdir)
    return Rollout(task_id="", hard=float(text == "2"), soft=0.5, answer=text)


def giving(**values: Any) -> Grade:
    return lambda task, student, workdir: Rollout(**{"task_id": "", "hard": 1.0, "soft": 1.0, **values})


def run(
    grade: Grade, replies: Callable[[ChatRequest], str | ChatReply] = lambda _: "2", *, retries: int = 0
) -> tuple[Rollout, ScriptedModel]:
    model = ScriptedModel(replies)
    bound = Bound(role="student", backend="fake", model_name="m", kind="chat", model=model, ledger=Ledger())
    rollout = run_task(
        TASK,
        Skill("s"),
        env=World(grade),
        student=lambda: TaskStudent(model=bound, prompts=PROMPTS),
        workdir=Path("unused"),
        retries=retries,
    )
    return rollout, model


def failing(fault: BackendFault, times: int = 99) -> Callable[[ChatRequest], ChatReply]:
    left = [times]

    def reply(_: ChatRequest) -> ChatReply:
        left[0] -= 1
        if left[0] >= 0:
            raise BackendError("no route to host", fault=fault)
        return ChatReply(text="2", usage=Usage(calls=1, prompt=4))

    return reply


def test_what_the_env_leaves_out_is_filled_in() -> None:
    rollout, _ = run(asking, lambda _: ChatReply(text="2", usage=Usage(calls=1, prompt=7)))
    assert (rollout.task_id, rollout.kind, rollout.hard, rollout.outcome) == ("t1", "sum", 1.0, "ok")
    assert rollout.usage == Usage(calls=1, prompt=7)
    assert [entry["role"] for entry in rollout.trace] == ["user", "assistant"]


def test_what_the_env_says_itself_is_kept() -> None:
    own = Usage(calls=3)
    rollout, _ = run(giving(trace=({"step": 1},), usage=own, outcome="refused", extra={"em": 1}))
    assert (rollout.trace, rollout.usage, rollout.outcome, rollout.extra) == (({"step": 1},), own, "refused", {"em": 1})


@pytest.mark.parametrize(("finish", "outcome"), [("length", "truncated"), ("refused", "refused")])
def test_a_reply_that_is_not_whole_is_an_outcome_of_its_own(finish: Any, outcome: str) -> None:
    rollout, _ = run(asking, lambda _: ChatReply(text="2", finish=finish))
    assert (rollout.outcome, rollout.scored) == (outcome, True)


@pytest.mark.parametrize(
    ("fault", "outcome"), [("timeout", "timeout"), ("unavailable", "infra_error"), ("context", "infra_error")]
)
def test_a_backend_that_fails_is_never_a_wrong_answer(fault: BackendFault, outcome: str) -> None:
    rollout, _ = run(asking, failing(fault))
    assert (rollout.outcome, rollout.scored, rollout.failed) == (outcome, False, False)
    assert rollout.error == "student (fake): no route to host"
    assert (rollout.task_id, rollout.kind, [entry["content"] for entry in rollout.trace]) == ("t1", "sum", ["1+1?"])


@pytest.mark.parametrize("fault", ["auth", "quota"])
def test_a_backend_that_cannot_recover_ends_the_run(fault: BackendFault) -> None:
    with pytest.raises(BackendError, match="no route to host"):
        run(asking, failing(fault), retries=3)


def test_an_env_that_swallows_the_error_does_not_make_it_a_wrong_answer() -> None:
    def careless(task: Task, student: Student, workdir: Path) -> Rollout:
        try:
            return asking(task, student, workdir)
        except BackendError:
            return Rollout(task_id="", hard=0.0, soft=0.0)

    rollout, _ = run(careless, failing("unavailable"))
    assert (rollout.outcome, rollout.scored) == ("infra_error", False)


@pytest.mark.parametrize(("retries", "scored", "calls"), [(0, False, 1), (1, False, 2), (2, True, 3), (5, True, 3)])
def test_trouble_is_tried_again_as_often_as_allowed(retries: int, scored: bool, calls: int) -> None:
    rollout, model = run(asking, failing("unavailable", times=2), retries=retries)
    assert (rollout.scored, len(model.requests)) == (scored, calls)


def test_a_second_attempt_begins_anew_and_the_usage_of_the_first_counts() -> None:
    tries: list[Student] = []

    def second_time(task: Task, student: Student, workdir: Path) -> Rollout:
        tries.append(student)
        student.answer(f"try {len(tries)}", skill=Skill(""), workdir=workdir)
        if len(tries) == 1:
            raise RuntimeError("the simulator crashed")
        return Rollout(task_id="", hard=1.0, soft=1.0)

    rollout, _ = run(second_time, lambda _: ChatReply(text="x", usage=Usage(calls=1, prompt=4)), retries=1)
    assert tries[0] is not tries[1]
    assert [entry["content"] for entry in rollout.trace] == ["try 2", "x"]
    assert rollout.usage == Usage(calls=2, prompt=8)


def test_a_wrong_answer_is_not_tried_again() -> None:
    rollout, model = run(asking, lambda _: "3", retries=3)
    assert (rollout.hard, rollout.failed, len(model.requests)) == (0.0, True, 1)


def test_an_exception_of_the_env_is_recorded_with_its_place() -> None:
    def broken(task: Task, student: Student, workdir: Path) -> Rollout:
        raise KeyError("gold")

    rollout, _ = run(broken)
    assert rollout.outcome == "infra_error"
    assert rollout.error and rollout.error.startswith("KeyError: 'gold' (test_rollout.py:")


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"hard": float("nan")}, "ValueError"),
        ({"hard": 1.5}, "the env gave hard=1.5; it must lie between 0 and 1"),
        ({"soft": -0.1}, "the env gave soft=-0.1"),
        ({"hard": None}, "hard"),
        ({"answer": None}, "answer"),
        ({"extra": {"image": object()}}, "object"),
        ({"outcome": "wrong"}, "outcome"),
    ],
)
def test_a_rollout_that_no_file_could_hold_is_the_envs_fault(values: dict[str, Any], reason: str) -> None:
    rollout, _ = run(giving(**values))
    assert (rollout.outcome, rollout.scored) == ("infra_error", False)
    assert reason in str(rollout.error)


def test_an_env_that_returns_nothing_is_recorded() -> None:
    rollout, _ = run(lambda task, student, workdir: None)
    assert rollout.outcome == "infra_error"
    assert rollout.error and rollout.error.startswith("TypeError: the env returned NoneType instead of a Rollout")


def test_a_rollout_is_what_reading_it_back_will_give() -> None:
    rollout, _ = run(
        giving(
            hard=True,
            soft=1,
            answer="half \ud83d pair",
            expected=["a", "b"],
            trace=[{"role": "user", "parts": (1, 2), "at": Path("a/b")}],
            extra={"cells": ("A1", 2), "anls": float("inf")},
        )
    )
    adapter = TypeAdapter(Rollout)
    text = json.dumps(adapter.dump_python(rollout, mode="json"), ensure_ascii=False)
    assert adapter.validate_json(text.encode()) == rollout
    assert (rollout.hard, type(rollout.hard), type(rollout.soft)) == (1.0, float, float)
    assert rollout.answer == "half ? pair"
    assert rollout.extra == {"cells": ["A1", 2], "anls": None}


def test_an_env_that_swallows_a_fault_no_call_can_escape_has_graded_nothing() -> None:
    def swallowing(task: Task, student: Student, workdir: Path) -> Rollout:
        try:
            return asking(task, student, workdir)
        except BackendError as error:
            raise ValueError("something went wrong") from error

    with pytest.raises(BackendError, match="no route to host"):
        run(swallowing, failing("auth"), retries=1)

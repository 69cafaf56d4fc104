"""Rollouts as the teacher reads them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reflact.stages.trajectories import Window, fit, line, trajectories
from reflact.types import Rollout


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        ({"role": "user", "content": "hi"}, "[user] hi"),
        ({"content": "hi"}, "[agent] hi"),
        (
            {"role": "assistant", "content": "", "tool_calls": [{"name": "é"}]},
            '[assistant]  {"tool_calls": [{"name": "é"}]}',
        ),
        ({"cmd": "ls"}, '[agent]  {"cmd": "ls"}'),
    ],
)
def test_an_entry_says_who_then_what(entry: dict[str, object], text: str) -> None:
    assert line(entry) == text


@given(st.text(), st.integers(2, 50))
def test_a_text_is_kept_whole_or_its_middle_left_out_and_counted(text: str, limit: int) -> None:
    fitted = fit(text, limit)
    if len(text) <= limit:
        assert fitted == text
    else:
        half = limit // 2
        assert fitted.startswith(text[:half]) and fitted.endswith(text[-half:])
        assert f"{len(text) - 2 * half} characters left out" in fitted


def rollout(**more: object) -> Rollout:
    return Rollout(task_id="t", hard=0.0, soft=0.0, **more)  # type: ignore[arg-type]


def test_long_conversations_share_the_budget_evenly() -> None:
    trace = ({"role": "user", "content": "x" * 5000},)
    found = trajectories([rollout(trace=trace)] * 4, budget=4000)
    assert all(600 <= len(one.conversation) < 700 for one in found)


def test_all_parts_of_the_trajectories_together_stay_near_the_budget() -> None:
    long = "x" * 50_000
    full = rollout(trace=({"content": long},), answer=long, expected=(long, long), feedback=long)
    found = trajectories([full] * 3, references={"t": long}, budget=30_000)
    spent = sum(
        len(one.conversation) + len(one.answer) + sum(map(len, one.expected)) + len(one.feedback) + len(one.reference)
        for one in found
    )
    assert spent < 33_000


def test_the_room_for_trajectories_is_what_the_other_parts_leave() -> None:
    assert Window(tokens=100_000, reply=10_000).room("s" * 1000) == 3 * 90_000 - 8_000 - 1_000


def test_a_window_that_is_full_still_leaves_something_to_read() -> None:
    assert Window(tokens=2048, reply=512).room("s" * 10_000) == 2_000


def test_one_endless_answer_cannot_fill_the_prompt() -> None:
    endless = "loop " * 200_000
    one, _ = trajectories([rollout(answer=endless, question=endless, feedback=endless, expected=(endless,)), rollout()])
    whole = one.answer + one.question + one.feedback + one.expected[0]
    assert len(whole) < 4 * 31_000
    assert one.answer.startswith("loop loop") and "characters left out" in one.answer


def test_an_ordinary_rollout_is_shown_as_it_is() -> None:
    given_ = rollout(
        answer="blue", question="Which?", feedback="no", expected=("green",), outcome="truncated", kind="k"
    )
    (one,) = trajectories([given_])
    assert (one.answer, one.question, one.feedback, one.expected) == ("blue", "Which?", "no", ("green",))
    assert (one.outcome, one.kind, one.task_id, one.conversation) == ("truncated", "k", "t", "")


def test_no_rollouts_are_no_trajectories() -> None:
    assert trajectories([]) == ()

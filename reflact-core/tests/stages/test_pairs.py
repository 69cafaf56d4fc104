"""Two skills on the same tasks: what counts as changed, what a policy shows, and in which order."""

from __future__ import annotations

import pytest
from reflact.stages.pairs import Category, Pair, Policy, compare, counts, grouped, keep, listed
from reflact.types import Outcome, Rollout

FOUR: dict[str, tuple[float, float, Category]] = {
    "stays right": (1.0, 1.0, "stable_success"),
    "gets better": (0.0, 1.0, "improved"),
    "stays wrong": (0.0, 0.0, "persistent_fail"),
    "gets worse": (1.0, 0.0, "regressed"),
}


def rolled(task_id: str, hard: float, *, outcome: Outcome = "ok", feedback: str = "") -> Rollout:
    return Rollout(
        task_id=task_id,
        hard=hard,
        soft=hard / 2,
        outcome=outcome,
        answer=f"{hard:g}",
        feedback=feedback,
        question=f"{task_id}?",
        trace=({"role": "agent", "content": "thinking " * 100},),
    )


def pairs() -> tuple[Pair, ...]:
    before = [rolled(name, prev, feedback="before") for name, (prev, _, _) in FOUR.items()]
    after = [rolled(name, curr, feedback="after") for name, (_, curr, _) in FOUR.items()]
    return compare(before, after[::-1])


@pytest.mark.parametrize(
    ("prev", "curr", "category"),
    [(prev, curr, name) for prev, curr, name in FOUR.values()]
    + [(0.5, 1.0, "improved"), (1.0, 0.5, "regressed"), (0.5, 0.9, "persistent_fail")],
)
def test_a_task_is_right_only_when_all_of_it_is(prev: float, curr: float, category: Category) -> None:
    (pair,) = compare([rolled("t", prev)], [rolled("t", curr)])
    assert pair.category == category


@pytest.mark.parametrize(
    ("policy", "shown"),
    [
        ("mixed", ["stays right", "gets better", "stays wrong", "gets worse"]),
        ("changed", ["gets better", "gets worse"]),
        ("unchanged", ["stays right", "stays wrong"]),
    ],
)
def test_a_policy_shows_all_the_changed_or_the_others(policy: Policy, shown: list[str]) -> None:
    assert [one.id for one in keep(pairs(), policy)] == shown


def test_the_most_urgent_category_comes_first_and_an_empty_one_not_at_all() -> None:
    assert [name for name, _ in grouped(pairs())] == ["regressed", "persistent_fail", "improved", "stable_success"]
    assert [name for name, _ in grouped(keep(pairs(), "changed"))] == ["regressed", "improved"]
    assert counts(keep(pairs(), "changed")) == {
        "regressed": 1,
        "persistent_fail": 0,
        "improved": 1,
        "stable_success": 0,
    }


@pytest.mark.parametrize("missing", ["prev", "curr"])
def test_a_task_that_could_not_be_scored_under_one_of_the_skills_is_no_pair(missing: str) -> None:
    fine, failed = rolled("t", 1.0), rolled("t", 0.0, outcome="timeout")
    before, after = ([failed], [fine]) if missing == "prev" else ([fine], [failed])
    assert compare(before, after) == ()


def test_only_the_side_that_failed_says_why() -> None:
    reasons = {one.id: (one.prev.reason, one.curr.reason) for one in pairs()}
    assert reasons["gets better"] == ("before", "")
    assert reasons["gets worse"] == ("", "after")
    assert reasons["stays right"] == ("", "")


def test_conversations_share_what_there_is_room_for() -> None:
    found = compare([rolled("t", 0.0)], [rolled("t", 0.0)], budget=200)
    assert all(len(side.conversation) <= 200 for side in (found[0].prev, found[0].curr))
    assert len(compare([rolled("t", 0.0)], [rolled("t", 0.0)])[0].prev.conversation) > 800


def test_what_is_written_down_has_both_sides_and_no_conversation() -> None:
    row = next(one for one in listed(pairs()) if one["id"] == "gets better")
    assert row == {
        "id": "gets better",
        "task": "gets better?",
        "category": "improved",
        "prev": {"hard": 0, "soft": 0.0, "predicted_answer": "0", "fail_reason": "before"},
        "curr": {"hard": 1, "soft": 0.5, "predicted_answer": "1", "fail_reason": ""},
    }

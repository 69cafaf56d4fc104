"""From rollouts to a score, and the certainty to give a candidate up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reflact.errors import RunError
from reflact.stages.gate import STRICT, Rule
from reflact.stages.score import (
    by_group,
    by_kind,
    cannot_beat,
    endings,
    flips,
    interval,
    mean,
    refuse_outage,
    score,
)
from reflact.types import Rollout


def rollout(hard: float, soft: float | None = None, **more: Any) -> Rollout:
    return Rollout(**{"task_id": "t", "hard": hard, "soft": hard if soft is None else soft, **more})


def numbered(rollouts: Iterable[Rollout]) -> list[Rollout]:
    """Return *rollouts* as those of as many tasks."""
    return [replace(one, task_id=f"t{number}") for number, one in enumerate(rollouts)]


LOST = rollout(0.0, outcome="infra_error", error="no route")
WRONG = rollout(0.0)
RIGHT = rollout(1.0)
PART = rollout(0.0, 0.3)
RULES = (STRICT, Rule(metric="soft"), Rule(metric="mixed", weight=0.3))


def test_a_score_is_the_mean_over_the_scored_tasks_only() -> None:
    found = score(numbered([RIGHT, PART, LOST, WRONG]))
    assert (found.hard, found.soft) == (round(1 / 3, 12), round(1.3 / 3, 12))
    assert (found.n, found.n_errors, found.n_right) == (3, 1, 1)
    assert found.items == {"t0": 1.0, "t1": 0.0, "t3": 0.0}


@pytest.mark.parametrize(("rule", "value"), list(zip(RULES, (0.5, 0.65, 0.545), strict=True)))
def test_the_rule_says_what_is_compared(rule: Rule, value: float) -> None:
    assert score(numbered([RIGHT, PART]), rule=rule).value == value


def test_a_task_that_was_repeated_counts_once_with_its_mean() -> None:
    found = score([replace(RIGHT, task_id="a"), replace(WRONG, task_id="b"), replace(WRONG, task_id="a")])
    assert (found.hard, found.n, found.n_right, found.items) == (0.25, 2, 0, {"a": 0.5, "b": 0.0})


def test_a_repeat_that_could_not_be_scored_leaves_the_others() -> None:
    found = score([replace(RIGHT, task_id="a"), replace(LOST, task_id="a")])
    assert (found.hard, found.n, found.n_errors) == (1.0, 1, 0)


def test_nothing_scored_is_a_score_of_nothing() -> None:
    found = score([LOST])
    assert (found.hard, found.soft, found.n, found.n_errors) == (0.0, 0.0, 0, 1)


@pytest.mark.parametrize("outcome", ["empty", "truncated", "refused"])
def test_a_student_that_had_its_chance_is_scored(outcome: str) -> None:
    assert score([RIGHT, rollout(0.0, outcome=outcome)]).hard == 0.5


@pytest.mark.parametrize("outcome", ["timeout", "infra_error"])
def test_a_student_that_had_no_chance_is_not_scored(outcome: str) -> None:
    assert score([RIGHT, rollout(0.0, outcome=outcome)]).hard == 1.0


@given(st.lists(st.floats(0, 1), max_size=30), st.integers())
def test_a_mean_does_not_depend_on_the_order(values: list[float], seed: int) -> None:
    shuffled = list(values)
    Random(seed).shuffle(shuffled)
    assert mean(shuffled) == mean(values)


def test_equal_means_are_equal_numbers() -> None:
    assert mean([0.1, 0.2, 0.3, 0.3]) == mean([0.225] * 4) == 0.225


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.metric)
@pytest.mark.parametrize("bar", [0.0, 0.2, 0.333333333333, 0.5, 0.6, 1.0])
def test_curtailment_never_changes_the_decision_whatever_the_order(bar: float, rule: Rule) -> None:
    for order in permutations(numbered([RIGHT, RIGHT, WRONG, PART, WRONG])):
        stopped = any(cannot_beat(order[:n], total=5, bar=bar, rule=rule) for n in range(1, 6))
        assert stopped == (score(order, rule=rule).value <= bar)


@pytest.mark.parametrize("bar", [0.0, 0.25, 0.5, 0.6, 1.0])
def test_a_task_that_was_not_scored_may_delay_the_stop_and_never_causes_it(bar: float) -> None:
    for order in permutations(numbered([RIGHT, RIGHT, WRONG, PART, LOST])):
        stopped = any(cannot_beat(order[:n], total=5, bar=bar) for n in range(1, 6))
        assert not stopped or score(order).value <= bar


def test_a_repeat_that_lost_a_task_is_not_given_up_on_its_account() -> None:
    second = numbered([LOST, WRONG, RIGHT])
    assert not cannot_beat(second[:2], total=3, bar=0.6 * 2 - 2 / 3)


marks = st.one_of(st.sampled_from([RIGHT, WRONG, LOST]), st.builds(rollout, st.floats(0, 1), st.floats(0, 1)))


@given(st.lists(marks, min_size=1, max_size=20).map(numbered), st.floats(0, 1), st.sampled_from(RULES), st.data())
def test_curtailment_agrees_with_the_full_score(
    rollouts: list[Rollout], bar: float, rule: Rule, data: st.DataObject
) -> None:
    full = score(rollouts, rule=rule).value
    bar = data.draw(st.sampled_from([bar, full, 0.0, 1.0]))
    stops = [cannot_beat(rollouts[:n], total=len(rollouts), bar=bar, rule=rule) for n in range(len(rollouts) + 1)]
    assert not any(stops) or full <= bar
    assert any(stops) or full > bar or LOST.outcome in {one.outcome for one in rollouts}
    assert stops == sorted(stops)


def test_a_curtailed_score_lies_below_the_bar_too() -> None:
    rollouts = numbered([WRONG, WRONG, RIGHT, RIGHT])
    assert cannot_beat(rollouts[:2], total=4, bar=0.5)
    assert score(rollouts[:2], curtailed=True).value <= 0.5


def test_flips_count_the_tasks_both_were_scored_on() -> None:
    found = flips({"a": 0.0, "b": 1.0, "c": 1.0, "d": 0.0}, {"a": 1.0, "b": 0.0, "c": 1.0, "e": 1.0})
    assert (found.improved, found.regressed, found.unchanged) == (1, 1, 1)


def test_the_interval_of_the_paired_difference_lies_around_it() -> None:
    found = flips({"a": 0.0, "b": 0.0, "c": 1.0, "d": 1.0}, {"a": 1.0, "b": 1.0, "c": 1.0, "d": 1.0})
    assert found.difference_95 == (round(0.5 - 0.5658, 4), round(0.5 + 0.5658, 4))


def test_one_common_task_gives_no_interval() -> None:
    assert flips({"a": 0.0}, {"a": 1.0}).difference_95 is None


def test_an_outage_up_to_the_limit_is_let_pass() -> None:
    refuse_outage([LOST], total=10, limit=0.1, what="rollout")


def test_an_outage_above_the_limit_is_refused_with_its_first_cause() -> None:
    other = rollout(0.0, outcome="timeout", error="slow")
    with pytest.raises(RunError) as caught:
        refuse_outage([RIGHT, LOST, other, LOST], total=10, limit=0.1, what="rollout")
    assert "rollout: 3 of 10 tasks failed to run. First: t: no route (the same for 2)" in str(caught.value)
    assert "resume" in str(caught.value)


def test_scores_are_given_by_what_an_env_groups_them_by() -> None:
    def of(hard: float, **groups: str) -> Rollout:
        return replace(rollout(hard), extra={"groups": groups})

    rollouts = [of(1.0, month="11", size="s"), of(0.0, month="11"), of(1.0, month="12"), rollout(1.0), LOST]
    found = by_group(rollouts)
    assert {month: (one["total"], one["hard_acc"]) for month, one in found["month"].items()} == {
        "11": (2, 0.5),
        "12": (1, 1.0),
    }
    assert found["size"]["s"]["total"] == 1


def test_scores_are_given_by_kind_and_overall() -> None:
    rollouts = [rollout(1.0, kind="sum"), rollout(0.0, kind="sum"), rollout(1.0, kind="name"), LOST]
    assert by_kind(rollouts) == {
        "name": {"total": 1, "hard_acc": 1.0, "soft": 1.0},
        "sum": {"total": 2, "hard_acc": 0.5, "soft": 0.5},
        "overall": {"total": 3, "hard_acc": 0.666666666667, "soft": 0.666666666667},
    }


@pytest.mark.parametrize(
    ("right", "total", "bounds"),
    [
        (0, 0, (0.0, 1.0)),
        (0, 10, (0.0, 0.2775)),
        (10, 10, (0.7225, 1.0)),
        (5, 10, (0.2366, 0.7634)),
        (81, 263, (0.2553, 0.3662)),
    ],
)
def test_the_wilson_interval_has_its_published_values(right: int, total: int, bounds: tuple[float, float]) -> None:
    assert interval(right, total) == bounds


@given(st.integers(1, 2000), st.floats(0, 1))
def test_the_wilson_interval_lies_around_the_share(total: int, share: float) -> None:
    low, high = interval(share * total, total)
    assert 0 <= low <= share + 5e-5 and share - 5e-5 <= high <= 1
    assert low < high


def test_endings_other_than_an_answer_are_counted_and_what_could_not_be_scored_is_not() -> None:
    outcomes = ("ok", "refused", "truncated", "refused", "timeout", "infra_error")
    found = [rollout(0.0, outcome=outcome) for outcome in outcomes]
    assert endings(found) == {"refused": 2, "truncated": 1}

"""Which tasks a probe looks at, and where it goes on."""

from __future__ import annotations

import pytest
from reflact.stages.probe import fault, representatives, steps, target
from reflact.stages.replies import StepProbeDraft
from reflact.types import Outcome, Rollout


def rolled(task_id: str, kind: str, hard: float = 0.0, outcome: Outcome = "ok") -> Rollout:
    return Rollout(task_id=task_id, kind=kind, hard=hard, soft=hard, outcome=outcome)


def stepped(task_id: str, count: int) -> Rollout:
    agent = tuple({"role": "agent", "step": at, "content": "x"} for at in range(1, count + 1))
    return Rollout(task_id=task_id, hard=0.0, soft=0.0, trace=({"role": "user", "content": "do it"}, *agent))


BATCH = tuple(rolled(f"f{at}", kind) for at, kind in enumerate("aaabc")) + tuple(
    rolled(f"s{at}", kind, 1.0) for at, kind in enumerate("aab")
)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("quota", "kinds"), [(1, 1), (2, 2), (3, 3), (4, 3), (9, 3)])
def test_failed_tasks_of_every_kind_come_before_a_second_one_of_a_kind(seed: int, quota: int, kinds: int) -> None:
    chosen = representatives(BATCH, seed=seed, failures=quota, successes=0)
    assert len(chosen) == min(quota, 5)
    assert len({one.task_id for one in chosen}) == len(chosen)
    assert len({one.kind for one in chosen[:kinds]}) == kinds


def test_failures_come_first_and_each_side_keeps_to_its_quota() -> None:
    chosen = representatives(BATCH, seed=1, failures=2, successes=2)
    assert [one.failed for one in chosen] == [True, True, False, False]


def test_the_choice_is_a_function_of_the_seed() -> None:
    picks = [representatives(BATCH, seed=seed, failures=2, successes=1) for seed in range(20)]
    assert picks == [representatives(BATCH, seed=seed, failures=2, successes=1) for seed in range(20)]
    assert any(one != picks[0] for one in picks)


def test_a_task_that_had_no_chance_is_neither_failed_nor_solved() -> None:
    assert representatives([rolled("t", "a", outcome="timeout")], seed=1, failures=4, successes=2) == ()


@pytest.mark.parametrize(
    ("count", "wanted", "after"),
    [(5, None, 4), (1, None, 1), (0, None, 0), (5, 2, 2), (5, 0, 0), (5, 9, 5), (5, -3, 0)],
)
def test_a_probe_goes_on_after_the_step_it_names_or_the_last_but_one(
    count: int, wanted: int | None, after: int
) -> None:
    draft = StepProbeDraft(probe_instruction="Say why.", probe_target_id="t", probe_after_step=wanted)
    assert steps(stepped("t", count)) == count
    assert target(draft, [stepped("t", count)]) == (stepped("t", count), after)


@pytest.mark.parametrize(
    ("named", "taken"), [("second", "second"), ("first", "first"), ("unknown", "first"), ("", "first")]
)
def test_a_probe_that_names_no_shown_task_takes_the_first(named: str, taken: str) -> None:
    shown = [stepped("first", 3), stepped("second", 3)]
    draft = StepProbeDraft(probe_instruction="Say why.", probe_target_id=named)
    assert target(draft, shown)[0].task_id == taken


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("Name the candidates before you answer.", ""),
        ("  ", "probe_instruction is empty"),
        ("Is it Kilimanjaro?", "gives away"),
        ("Say that  the WINDOW faces the northern courtyard.", "quotes a hidden reference"),
    ],
)
def test_a_probe_that_gives_something_away_is_refused(instruction: str, expected: str) -> None:
    shown = [Rollout(task_id="t", hard=0.0, soft=0.0, expected=("Kilimanjaro",), question="Which mountain?")]
    found = fault(instruction, shown, {"t": "the window faces the northern courtyard"})
    assert (expected in found) if expected else found == ""

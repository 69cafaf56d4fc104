"""The step buffer: what later reflection is told of a step."""

from __future__ import annotations

import pytest
from reflact.modes.patch import Patch
from reflact.stages.digest import digest, patterns
from reflact.types import Decision, Edit, Failure, Outcome, Proposal, Rollout, Scored, Skill

CURRENT = Scored(skill=Skill("a"), score=0.5, origin="initial_skill")
CANDIDATE = Scored(skill=Skill("b"), score=0.25, origin="step_0003")
CHOSEN = Proposal(items=(Edit(op="replace", content="c" * 300, target="t" * 300, sources=("m",)),))


def rollout(hard: float, outcome: Outcome = "ok") -> Rollout:
    return Rollout(task_id="t", hard=hard, soft=hard, outcome=outcome)


def decision(action: str) -> Decision:
    candidate = None if action.startswith("skip") else CANDIDATE
    return Decision(action=action, candidate=candidate, current=CURRENT, best=CURRENT)


def test_a_rejected_step_tells_its_scores_and_its_edits_shortened() -> None:
    entry = digest(3, [rollout(0), rollout(1)], [], CHOSEN, decision("reject"), Patch())
    assert (entry.step, entry.action, entry.score_before, entry.score_after) == (3, "reject", 0.5, 0.25)
    assert entry.rejected_edits == ({"op": "replace", "content": "c" * 200, "target": "t" * 200},)


@pytest.mark.parametrize("action", ["accept", "accept_new_best", "skip_no_patches", "skip_no_change"])
def test_any_other_step_tells_no_scores_and_no_edits(action: str) -> None:
    entry = digest(3, [rollout(0)], [], CHOSEN, decision(action), Patch())
    assert (entry.score_before, entry.score_after, entry.rejected_edits) == (None, None, ())


def test_tasks_that_could_not_be_scored_are_not_counted() -> None:
    rollouts = [rollout(0), rollout(0.5), rollout(1), rollout(0, "timeout"), rollout(0, "empty")]
    entry = digest(1, rollouts, [], CHOSEN, decision("reject"), Patch())
    assert (entry.n_total, entry.n_fail) == (4, 3)


def test_patterns_of_the_same_name_are_counted_together_by_the_analysts_own_counts() -> None:
    proposals = [
        Proposal(failures=(Failure(failure_type="Unit", count=2, description="first"), Failure(failure_type="date"))),
        Proposal(failures=(Failure(failure_type="unit ", count=3, description="second"),)),
        Proposal(failures=(Failure(failure_type="brief", count=9),), source_type="success"),
    ]
    assert patterns(proposals) == (
        Failure(failure_type="Unit", count=5, description="first"),
        Failure(failure_type="date", count=1),
    )


def test_of_equally_frequent_patterns_the_earlier_comes_first() -> None:
    named = tuple(Failure(failure_type=name) for name in "cab")
    assert patterns([Proposal(failures=named)]) == named

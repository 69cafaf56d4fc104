"""The step buffer: what later reflection is told of a step."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from importlib.resources import files

import pytest
from reflact.llm.prompts import Prompts
from reflact.modes.patch import Patch
from reflact.stages.digest import digest, patterns, refuted
from reflact.types import Decision, Edit, Failure, Memory, Outcome, Proposal, Rollout, Scored, Skill, StepDigest

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


def step(number: int, *rejected: str) -> StepDigest:
    edits = tuple({"op": "append", "content": text} for text in rejected)
    return StepDigest(step=number, action="reject", n_total=8, n_fail=4, rejected_edits=edits)


def contents(steps: Sequence[StepDigest]) -> list[str]:
    return [item["content"] for item in refuted(steps)]


def test_an_edit_that_was_rejected_alone_is_refuted() -> None:
    assert contents([step(1, "a", "b"), step(2, "c")]) == ["c"]


def test_an_edit_that_was_rejected_with_others_is_refuted_the_second_time() -> None:
    assert contents([step(1, "a", "b")]) == []
    assert contents([step(1, "a", "b"), step(2, "c", "a")]) == ["a"]


def test_an_edit_that_stands_twice_in_one_candidate_was_rejected_once() -> None:
    assert contents([step(1, "a", "a", "b")]) == []


def test_what_a_later_epoch_does_not_remember_refutes_nothing() -> None:
    assert refuted([]) == ()
    assert refuted([StepDigest(step=1, action="accept", n_total=8, n_fail=0)]) == ()


def test_the_teacher_is_shown_which_rejected_edits_are_refuted_and_which_are_unclear() -> None:
    steps = (step(1, "First rule.", "Second rule."), step(2, "Second rule.", "Third rule."))
    steps = tuple(replace(one, score_before=0.5, score_after=0.25) for one in steps)
    prompts = Prompts((files("reflact.prompts") / "default",))
    shown = prompts.text("memory", memory=Memory(steps=steps), refuted=refuted(steps))
    marks = re.findall(r"^\d+\. (\w+)\n   op: append\n   content: (\w+) rule\.", shown, re.M)
    assert marks == [("unclear", "First"), ("refuted", "Second"), ("refuted", "Second"), ("unclear", "Third")]

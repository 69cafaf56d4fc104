"""Which candidates a step makes, what they are screened on, and which one goes to the gate."""

from __future__ import annotations

from reflact.stages.screen import Option, best, options, screening_tasks
from reflact.types import Edit, Outcome, Proposal, Rollout, Skill, Task, Update


def proposal(name: str, *contents: str, size: int = 4) -> Proposal:
    items = tuple(Edit(op="append", content=content, sources=(name,)) for content in contents)
    return Proposal(name=name, items=items, batch_size=size)


def names(chosen: Proposal, proposals: list[Proposal], *, limit: int) -> list[str]:
    return [name for name, _ in options(chosen, proposals, limit=limit)]


SINGLES = [proposal("small", "a", size=2), proposal("large", "b", size=9), proposal("empty", size=16)]


def test_the_selected_proposal_comes_first_then_the_largest_minibatches() -> None:
    assert names(proposal("", "x"), SINGLES, limit=3) == ["selected", "large", "small"]


def test_no_more_than_the_limit_are_made() -> None:
    assert names(proposal("", "x"), SINGLES, limit=2) == ["selected", "large"]


def test_equal_proposals_are_tried_once() -> None:
    assert names(proposal("", "b"), SINGLES, limit=3) == ["selected", "small"]


def test_a_lone_candidate_is_the_selected_one() -> None:
    assert names(proposal("", "x"), SINGLES, limit=1) == ["selected"]


def test_when_nothing_was_selected_there_is_no_lone_candidate() -> None:
    assert names(proposal(""), SINGLES, limit=1) == []


def test_when_nothing_was_selected_several_candidates_may_still_be_tried() -> None:
    assert names(proposal(""), SINGLES, limit=2) == ["large", "small"]


def rollout(task_id: str, hard: float, outcome: Outcome = "ok") -> Rollout:
    return Rollout(task_id=task_id, hard=hard, soft=hard, outcome=outcome)


def test_candidates_are_screened_on_failed_tasks_in_batch_order() -> None:
    tasks = [Task(id=name) for name in "abcde"]
    rollouts = [rollout("e", 0), rollout("c", 0), rollout("b", 1), rollout("a", 0), rollout("d", 0, "infra_error")]
    assert [task.id for task in screening_tasks(tasks, rollouts, size=9)] == ["a", "c", "e"]
    assert [task.id for task in screening_tasks(tasks, rollouts, size=2)] == ["a", "c"]


def test_the_option_with_the_most_right_is_best_and_of_equals_the_earlier() -> None:
    tried = [
        Option(name=name, update=Update(skill=Skill(name)), chosen=proposal(name), right=right, tried=6)
        for name, right in (("one", 2.0), ("two", 3.0), ("three", 3.0))
    ]
    assert best(tried).name == "two"

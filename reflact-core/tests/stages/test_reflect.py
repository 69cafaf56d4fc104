"""Minibatches, and what one analyst makes of one."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reflact.errors import BackendError
from reflact.llm.ask import Teacher
from reflact.llm.prompts import Prompts
from reflact.modes.patch import Patch
from reflact.stages.reflect import Minibatch, analyse, minibatches
from reflact.testing import ScriptedModel
from reflact.types import ChatReply, ChatRequest, Failure, Outcome, Proposal, Rollout, Skill, Usage

PROMPTS = Prompts((files("reflact.prompts") / "default",))
REPLY: dict[str, Any] = {
    "failure_summary": [{"failure_type": "unit", "count": 2, "description": "no unit"}],
    "patch": {"reasoning": "why", "edits": [{"op": "append", "target": "", "content": f"rule {n}"} for n in range(3)]},
}


def rollout(number: int, hard: float = 0.0, outcome: Outcome = "ok") -> Rollout:
    return Rollout(task_id=f"t{number}", hard=hard, soft=hard, outcome=outcome, question="q?", answer=f"a{number}")


outcomes = st.sampled_from(get_args(Outcome))
batches = st.lists(st.tuples(st.sampled_from([0.0, 0.5, 1.0]), outcomes), max_size=40).map(
    lambda rows: [rollout(number, hard, outcome) for number, (hard, outcome) in enumerate(rows)]
)


@given(batches, st.integers(0, 10**6), st.integers(1, 9))
def test_every_scored_rollout_is_in_one_minibatch_of_its_kind(rollouts: list[Rollout], seed: int, size: int) -> None:
    groups = minibatches(rollouts, seed=seed, size=size, failure_only=False)
    for kind, wanted in (("failure", True), ("success", False)):
        found = [one for group in groups if group.source_type == kind for one in group.rollouts]
        expected = [one for one in rollouts if one.scored and one.failed == wanted]
        assert sorted(one.task_id for one in found) == sorted(one.task_id for one in expected)
    assert all(1 <= len(group.rollouts) <= size for group in groups)


@given(batches, st.integers(0, 10**6))
def test_only_the_last_minibatch_of_a_kind_may_be_smaller(rollouts: list[Rollout], seed: int) -> None:
    groups = minibatches(rollouts, seed=seed, size=4, failure_only=False)
    for kind in ("failure", "success"):
        sizes = [len(group.rollouts) for group in groups if group.source_type == kind]
        assert all(size == 4 for size in sizes[:-1])


def test_minibatches_are_named_by_kind_and_number() -> None:
    rollouts = [rollout(n, hard=float(n % 2)) for n in range(6)]
    names = [one.name for one in minibatches(rollouts, seed=1, size=2, failure_only=False)]
    assert names == ["minibatch_fail_000", "minibatch_fail_001", "minibatch_succ_000", "minibatch_succ_001"]


def test_the_seed_and_the_order_of_tasks_decide_alone() -> None:
    rollouts = [rollout(n) for n in range(12)]
    first = minibatches(rollouts, seed=5, size=4, failure_only=False)
    assert first == minibatches(list(rollouts), seed=5, size=4, failure_only=False)
    assert first != minibatches(rollouts, seed=6, size=4, failure_only=False)


def test_failures_are_grouped_alike_with_and_without_successes() -> None:
    rollouts = [rollout(n, hard=float(n % 2)) for n in range(12)]
    both = minibatches(rollouts, seed=5, size=4, failure_only=False)
    alone = minibatches(rollouts, seed=5, size=4, failure_only=True)
    assert alone == tuple(one for one in both if one.source_type == "failure")


def test_shuffling_leaves_the_rollouts_that_were_given_in_place() -> None:
    rollouts = [rollout(n) for n in range(12)]
    minibatches(rollouts, seed=5, size=4, failure_only=False)
    assert [one.task_id for one in rollouts] == [f"t{n}" for n in range(12)]


def analysed(
    reply: str | Callable[[ChatRequest], str | ChatReply],
    *,
    success: bool = False,
    budget: int = 8,
    attempts: int = 2,
    label: str = "",
    skill: str = "the skill",
) -> tuple[Proposal, ScriptedModel]:
    model = ScriptedModel(reply if callable(reply) else lambda _: reply)
    group = Minibatch(
        name="minibatch_succ_002" if success else "minibatch_fail_002",
        index=2,
        source_type="success" if success else "failure",
        rollouts=(rollout(1), rollout(2), rollout(3)),
        seed=7,
    )
    proposal = analyse(
        group,
        Skill(skill),
        "All are cities.",
        "Tried: nothing.",
        label,
        teacher=Teacher(model=model, prompts=PROMPTS),
        mode=Patch(),
        budget=budget,
        attempts=attempts,
    )
    return proposal, model


def test_an_analysis_becomes_items_with_computed_support() -> None:
    proposal, _ = analysed(json.dumps(REPLY))
    assert [item.content for item in proposal.items] == ["rule 0", "rule 1", "rule 2"]
    assert {(item.sources, item.support_count, item.source_type) for item in proposal.items} == {
        (("minibatch_fail_002",), 3, "failure")
    }
    assert (proposal.name, proposal.batch_size, proposal.reasoning) == ("minibatch_fail_002", 3, "why")
    assert proposal.failures == (Failure(failure_type="unit", count=2, description="no unit"),)


def test_what_the_model_claims_about_support_is_ignored() -> None:
    claimed = {"op": "append", "content": "x", "support_count": 99, "sources": ["all"], "source_type": "success"}
    proposal, _ = analysed(json.dumps({"batch_size": "8 trajectories", "edits": [claimed]}))
    assert (proposal.items[0].support_count, proposal.items[0].sources) == (3, ("minibatch_fail_002",))
    assert (proposal.items[0].source_type, proposal.batch_size) == ("failure", 3)


def test_no_pattern_can_show_in_more_trajectories_than_were_looked_at() -> None:
    proposal, _ = analysed('{"failure_summary": [{"failure_type": "unit", "count": 500}, {"count": 2}], "edits": []}')
    assert proposal.failures == (Failure(failure_type="unit", count=3),)


def test_a_label_tells_the_parts_of_a_step_apart() -> None:
    proposal, _ = analysed(json.dumps(REPLY), label="batch_1/")
    assert (proposal.name, proposal.items[0].sources) == ("batch_1/minibatch_fail_002", ("batch_1/minibatch_fail_002",))


def test_more_items_than_the_budget_are_cut() -> None:
    assert len(analysed(json.dumps(REPLY), budget=2)[0].items) == 2


def test_successes_have_a_prompt_and_patterns_of_their_own() -> None:
    proposal, model = analysed('{"success_patterns": ["brief"], "patch": {"reasoning": "", "edits": []}}', success=True)
    assert proposal.failures == (Failure(failure_type="brief"),)
    assert "3 solved tasks" in model.requests[0].messages[1].text


def test_the_teacher_is_shown_skill_memory_evidence_budget_and_answers() -> None:
    _, model = analysed(json.dumps(REPLY), skill="{{ braces }} and\n```\nfences")
    system, user = (one.text for one in model.requests[0].messages)
    assert "JSON" in system
    for shown in ("````\n{{ braces }} and\n```\nfences\n````", "Tried: nothing.", "All are cities.", "at most 8", "a2"):
        assert shown in user
    assert (model.requests[0].stage, model.requests[0].repeat) == ("analyst", 2)


def test_a_reply_that_stays_unusable_gives_an_empty_proposal_that_says_why() -> None:
    proposal, model = analysed(lambda _: ChatReply(text="sorry", usage=Usage(calls=1, prompt=9)), attempts=3)
    assert proposal.items == ()
    assert "no JSON object" in proposal.note
    assert proposal.usage == Usage(calls=3, prompt=27)
    assert len(model.requests) == 3


def test_a_teacher_that_cannot_be_reached_ends_the_analysis() -> None:
    def fail(_: ChatRequest) -> str:
        raise BackendError("gone")

    with pytest.raises(BackendError, match="gone"):
        analysed(fail)

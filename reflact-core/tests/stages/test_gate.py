"""The gate: strict, and the same for every kind of number."""

from __future__ import annotations

import pytest
from reflact.stages.gate import Rule, gate
from reflact.types import Flips, Scored, Skill

CURRENT = Scored(skill=Skill("current"), score=0.5, origin="initial_skill")
BEST = Scored(skill=Skill("best"), score=0.75, origin="step_0001")


@pytest.mark.parametrize(
    ("score", "action"),
    [
        (0.0, "reject"),
        (0.5, "reject"),
        (0.5000000001, "accept"),
        (0.75, "accept"),
        (0.8, "accept_new_best"),
        (float("nan"), "reject"),
    ],
)
def test_only_a_higher_score_is_accepted_and_a_tie_is_not(score: float, action: str) -> None:
    candidate = Scored(skill=Skill("candidate"), score=score, origin="step_0002")
    decision = gate(candidate, current=CURRENT, best=BEST)
    assert (decision.action, decision.accepted) == (action, action != "reject")
    assert decision.candidate is candidate
    assert decision.current is (candidate if action != "reject" else CURRENT)
    assert decision.best is (candidate if action == "accept_new_best" else BEST)


def test_a_score_of_zero_can_be_beaten() -> None:
    zero = Scored(skill=Skill(""), score=0.0, origin="initial_skill")
    candidate = Scored(skill=Skill("x"), score=0.1, origin="step_0001")
    assert gate(candidate, current=zero, best=zero).action == "accept_new_best"


@pytest.mark.parametrize(("score", "action"), [(0.55, "reject"), (0.6, "reject"), (0.65, "accept")])
def test_with_a_margin_a_candidate_must_be_better_by_more_than_it(score: float, action: str) -> None:
    candidate = Scored(skill=Skill("candidate"), score=score, origin="step_0002")
    decision = gate(candidate, current=CURRENT, best=BEST, rule=Rule(epsilon=0.1))
    assert decision.action == action
    assert decision.reason == ("better by less than 0.1" if action == "reject" else "")


@pytest.mark.parametrize(("regressed", "action"), [(0, "accept_new_best"), (1, "reject")])
def test_a_candidate_must_lose_no_task_if_asked_to(regressed: int, action: str) -> None:
    candidate = Scored(skill=Skill("candidate"), score=0.9, origin="step_0002")
    flips = Flips(improved=5, regressed=regressed)
    decision = gate(candidate, current=CURRENT, best=BEST, flips=flips, rule=Rule(no_regression=True))
    assert (decision.action, decision.flips) == (action, flips)
    assert gate(candidate, current=CURRENT, best=BEST, flips=flips).accepted

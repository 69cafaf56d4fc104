"""The gate: strict, and the same for every kind of number."""

from __future__ import annotations

import pytest
from reflact.stages.gate import gate
from reflact.types import Scored, Skill

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

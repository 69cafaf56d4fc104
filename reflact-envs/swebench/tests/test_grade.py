"""From a verdict to a score."""

from __future__ import annotations

import pytest
from reflact import Rollout, Task
from reflact_env_swebench.agent.play import Played
from reflact_env_swebench.grade import rolled, told_of
from reflact_env_swebench.judge.verdict import Results, Verdict

TASK = Task(id="a__b-1", kind="a/b", data={"problem_statement": "It breaks."})
PLAYED = Played(exit_status="Submitted", patch="diff", turns=4, usd=0.5)
GOOD = Results(passed=("t::a", "t::b"))
HALF = Results(passed=("t::a",), failed=("t::b",))
KEPT = Results(passed=("t::c",))
BROKEN = Results(failed=("t::c",))


def graded(verdict: Verdict | None, *, partial: bool = False) -> Rollout:
    return rolled(TASK, PLAYED, verdict, partial=partial)


@pytest.mark.parametrize(
    ("target", "kept", "hard", "soft"),
    [(GOOD, KEPT, 1.0, 1.0), (GOOD, Results(), 1.0, 1.0), (HALF, KEPT, 0.0, 0.5), (GOOD, BROKEN, 0.0, 0.0)],
)
def test_an_issue_is_resolved_when_all_its_tests_pass(target: Results, kept: Results, hard: float, soft: float) -> None:
    verdict = Verdict(target=target, kept=kept)
    assert (graded(verdict).hard, graded(verdict).soft) == (hard, hard)
    assert (graded(verdict, partial=True).hard, graded(verdict, partial=True).soft) == (hard, soft)


def test_an_issue_without_a_passing_target_test_is_not_resolved() -> None:
    assert graded(Verdict(kept=KEPT)).hard == 0.0


def test_no_credit_for_what_did_not_apply_or_did_not_end() -> None:
    assert graded(Verdict(applied=False, target=HALF), partial=True).soft == 0.0
    assert graded(Verdict(trouble="hangs", target=GOOD), partial=True).soft == 0.0


def test_a_breakdown_gives_no_score_and_keeps_the_patch() -> None:
    found = graded(Verdict(fault="engine gone"))
    assert (found.scored, found.error, found.answer) == (False, "engine gone", "diff")


def test_the_reasons_are_told_apart() -> None:
    told = [graded(one).feedback for one in (None, Verdict(applied=False), Verdict(target=HALF, kept=BROKEN))]
    assert told[0] == "empty patch (Submitted)"
    assert told[1] == "swebench unresolved (Submitted): patch did not apply"
    assert told[2].splitlines()[0] == "swebench unresolved (Submitted): 1 of 2 target tests fail, 1 regressions"
    assert "target tests that fail: t::b" in told[2] and "regressions: t::c" in told[2]


def test_many_names_are_not_all_told() -> None:
    verdict = Verdict(target=Results(failed=tuple(f"t::{n}" for n in range(40))), output="x" * 9000)
    assert "t::4 and 35 more" in verdict.told()
    assert len(verdict.told()) < 2200


def test_a_stored_rollout_tells_how_the_agent_got_on() -> None:
    assert told_of(graded(Verdict(target=GOOD))) == PLAYED

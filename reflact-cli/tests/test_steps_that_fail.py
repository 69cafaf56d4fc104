"""What a person is told of steps that brought nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

Reflact = Callable[..., Any]


def test_a_rejected_candidate_is_told_with_the_score_it_had_to_beat(train: Reflact) -> None:
    out = train("model.teacher_backend=vague_coach", "train.num_epochs=1").out
    assert "selection 0.000 -> 0.000 rejected: not better than the current skill" in out


def test_a_candidate_that_is_given_up_early_is_told_with_what_proved_it(train: Reflact) -> None:
    Path("skill.md").write_text("RULE for every letter\n")
    out = train("model.teacher_backend=spoiling_coach", "train.num_epochs=1", "env.skill_init=skill.md").out
    assert "selection 0/6 right, which cannot beat 0.250 any more · rejected: not better than the current skill" in out
    assert "did not beat 0.250 on the selection split; 2 were given up early" in out


def test_a_teacher_without_proposals_is_told(train: Reflact) -> None:
    out = train("model.teacher_backend=idle_coach", "train.num_epochs=1").out
    assert "· 0 edits kept · skipped: the teacher proposed no edit" in out


def test_an_edit_that_missed_is_told_with_its_reason(train: Reflact) -> None:
    out = train("model.teacher_backend=lost_coach", "train.num_epochs=1", "gradient.merge=concat").out
    assert "(replace 'a passage nobody wrote') not applied: the text it refers to is not in the skill" in out


def test_replies_that_cannot_be_used_are_told_once_with_their_number(train: Reflact) -> None:
    out = train("model.teacher_backend=mumbling_coach", "train.num_epochs=1", "train.batch_size=8").out
    (note,) = [line for line in out.splitlines() if line.startswith("    analyst")]
    assert note.endswith("(4 times)")


def test_a_run_that_accepts_nothing_says_so_and_gives_reasons_with_numbers(train: Reflact) -> None:
    out = train("model.teacher_backend=vague_coach", "train.num_epochs=1").out
    assert "Nothing was accepted in 2 steps: the skill is what it was. Most likely:" in out
    assert "  - the selection split has only 8 items: one item is 0.125 of the score; give it more" in out
    assert "  - 2 candidates did not beat 0.000 on the selection split; the closest reached 0.000" in out
    assert "held-out test   0/8 (0 %, 0–32 %)  ->  0/8 (0 %, 0–32 %)   no change" in out


def test_unusable_replies_are_named_as_the_reason(train: Reflact) -> None:
    out = train("model.teacher_backend=mumbling_coach", "train.num_epochs=1").out
    assert "  - the teacher's replies gave trouble 4 times; first: " in out
    assert "  - in 2 steps of 2 the teacher proposed no edit that could be used" in out


def test_a_skill_that_is_perfect_already_is_named_as_the_reason(train: Reflact) -> None:
    Path("skill.md").write_text("RULE RULE RULE RULE\n")
    out = train("model.teacher_backend=idle_coach", "train.num_epochs=1", "env.skill_init=skill.md").out
    assert "  - the first skill already solves all 8 selection items" in out
    assert "  - in 2 steps of 2 every rollout was right: no failure to learn from" in out

"""A step in one line, from records as `history.json` holds them."""

from __future__ import annotations

from typing import Any

import pytest
from reflact_cli.report.step import misses, notes, step_line

STEP: dict[str, Any] = {
    "step": 3,
    "action": "accept_new_best",
    "rollout_hard": 0.3,
    "rollout_n": 40,
    "rollout_right": 12,
    "rollout_errors": 0,
    "n_patches": 5,
    "n_edits_ranked": 4,
    "selection_hard": 0.575,
    "selection_n": 40,
    "selection_curtailed": False,
    "candidate_gate_score": 0.575,
    "current_score": 0.575,
    "notes": [],
}


def test_an_accepted_step_shows_the_way_from_score_to_score() -> None:
    assert step_line(STEP, total=8, before=0.45) == (
        "step 3/8  rollout 12/40 right · 5 patches · 4 edits kept · selection 0.450 -> 0.575 ACCEPTED (new best)"
    )


def test_a_rejected_step_is_measured_against_the_current_skill() -> None:
    entry = {**STEP, "action": "reject", "candidate_gate_score": 0.4}
    assert step_line(entry, total=8, before=0.45).endswith(
        "selection 0.450 -> 0.400 rejected: not better than the current skill"
    )


def test_a_curtailed_evaluation_says_how_far_it_went() -> None:
    entry = {**STEP, "action": "reject", "selection_curtailed": True, "selection_hard": 0.2, "selection_n": 10}
    line = step_line({**entry, "current_score": 0.9}, total=8, before=0.9)
    assert "selection 2/10 right, which cannot beat 0.900 any more · rejected" in line


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("skip_no_patches", "skipped: the teacher proposed no edit"),
        ("skip_no_change", "skipped: the edits leave the skill as it is"),
        ("skip_screened_out", "skipped: no candidate solved any of the tasks it was screened on"),
        ("skip_something_new", "skip something new"),
    ],
)
def test_a_skipped_step_says_why_in_words(action: str, words: str) -> None:
    entry = {key: value for key, value in STEP.items() if not key.startswith("selection")}
    assert step_line({**entry, "action": action}, total=8, before=0.4).endswith(words)


def test_tasks_that_could_not_be_run_are_told() -> None:
    assert "rollout 12/40 right (2 could not be run)" in step_line({**STEP, "rollout_errors": 2}, total=8, before=0.1)


def test_reminders_for_the_student_are_counted() -> None:
    line = step_line({**STEP, "n_execution_lapse_notes": 2}, total=8, before=0.1)
    assert "4 edits kept · 2 reminders · selection" in line


def test_an_edit_that_missed_is_told_with_the_nearest_text() -> None:
    report = [
        {"index": 1, "op": "append", "target": "", "content_preview": "x", "status": "applied_append"},
        {
            "index": 2,
            "op": "replace",
            "target": "be  brief\nplease",
            "content_preview": "y",
            "status": "skipped_replace_target_not_found",
            "hint": "be brief, please",
        },
        {
            "index": 3,
            "op": "insert_after",
            "target": "gone",
            "content_preview": "z",
            "status": "relocated_insert_after_to_end",
        },
    ]
    assert list(misses(report)) == [
        "edit 2 (replace 'be brief please') not applied: the text it refers to is not in the skill; "
        "nearest: 'be brief, please'",
        "edit 3 (insert_after 'gone'): its place was not found, so it went to the end",
    ]


def test_equal_notes_are_told_once() -> None:
    assert list(notes({"notes": ["no JSON", "no JSON", "too\nlong"]})) == ["no JSON (2 times)", "too long"]

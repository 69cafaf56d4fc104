"""What counts as giving away a shown task's answer."""

from __future__ import annotations

import pytest
from reflact.stages.leaks import leaks, leaks_of
from reflact.types import Candidate, Edit, Rollout

SHOWN = [
    Rollout(task_id="task-17", hard=0.0, soft=0.0, expected=("Mill Brook",)),
    Rollout(task_id="b", hard=0.0, soft=0.0, expected=("GO", "wait here")),
    Rollout(task_id="c", hard=0.0, soft=0.0, expected=("wait here",)),
]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Say mill  brook.", ("Mill Brook",)),
        ("As in task-17.", ("task-17",)),
        ("Millbrook, mill brooks", ()),
        ("Answer GO.", ()),
        ("Some answers are wait here.", ()),
        ("", ()),
    ],
)
def test_an_answer_of_one_task_and_its_id_are_leaks(text: str, found: tuple[str, ...]) -> None:
    assert leaks(text, SHOWN) == found


def test_every_text_of_an_item_is_looked_at() -> None:
    item = Candidate(title="task-17", change_summary=("Mill Brook",), new_skill="# Skill")
    assert leaks_of(item, SHOWN, known="") == ("Mill Brook", "task-17")


def test_what_the_skill_holds_already_is_given_away_by_no_item() -> None:
    item = Edit(op="append", content="Mill Brook, see task-17", sources=("task-17",))
    assert leaks_of(item, SHOWN, known="- The stream is called mill brook.") == ("task-17",)

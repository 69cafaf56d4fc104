"""The teacher decides how many items a step keeps, and whatever it says becomes a number that can be used."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from reflact import Rollout, Skill, Task
from reflact.engine.rate import Autonomous, Budget, Question, unlimited
from reflact.llm.ask import Teacher
from reflact.llm.prompts import Prompts
from reflact.modes.patch import Patch
from reflact.store.folder import Folder
from reflact.testing import ScriptedModel
from reflact.types import Batch, Edit, Proposal

PROMPTS = Prompts((files("reflact.prompts") / "default",))
HIGH = 8


def question(root: Path, *, step: int = 1, items: int = 3) -> Question:
    merged = Proposal(items=tuple(Edit(op="append", content=f"Rule {number}.") for number in range(items)))
    batch = Batch(step=step, epoch=1, step_in_epoch=step - 1, parts=((Task(id="t"),),), seeds=(1,), last_of_epoch=False)
    rollouts = (Rollout(task_id="t", hard=1.0, soft=1.0), Rollout(task_id="u", hard=0.0, soft=0.5))
    at = Folder(root / f"steps/step_{step:04d}")
    return Question(batch=batch, merged=merged, rollouts=rollouts, skill=Skill(""), memory="", at=at)


def decided(root: Path, said: Any, **how: int) -> tuple[Budget, dict[str, Any], ScriptedModel]:
    model = ScriptedModel(lambda _: json.dumps({"learning_rate": said, "reasoning": "as many as are founded"}))
    rate = Autonomous(teacher=Teacher(model=model, prompts=PROMPTS), mode=Patch(), high=HIGH, root=Folder(root))
    budget = rate(asked := question(root, **how))
    file = asked.at.path / "lr_decision.json"
    return budget, json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}, model


@pytest.mark.parametrize(
    ("said", "raw", "used"),
    [
        (0, 0, 0),
        (2, 2, 2),
        (3, 3, 3),
        (99, 99, 3),
        (-4, 0, 0),
        (2.0, 2, 2),
        ("2", 2, 2),
        ("at most 2 of them", 2, 2),
    ],
)
def test_a_number_however_it_is_said_counts_and_never_exceeds_what_there_is(
    said: Any, raw: int, used: int, tmp_path: Path
) -> None:
    budget, decision, _ = decided(tmp_path, said)
    assert budget.items == decision["learning_rate"] == used
    assert (decision["raw_learning_rate"], decision["available_update_items"]) == (raw, 3)
    assert (decision["clamped"], decision["fallback"]) == (raw > 3, False)


@pytest.mark.parametrize("said", [True, None, "as many as needed", [], {}])
def test_without_a_number_the_highest_rate_holds_and_that_is_said(said: Any, tmp_path: Path) -> None:
    budget, decision, model = decided(tmp_path, said)
    assert budget.items == 3
    assert (decision["raw_learning_rate"], decision["fallback"]) == (HIGH, True)
    assert decision["error"]
    assert len(model.requests) > 1


def test_nothing_proposed_is_nothing_to_decide(tmp_path: Path) -> None:
    budget, decision, model = decided(tmp_path, 2, items=0)
    assert (budget.items, decision, model.requests) == (0, {}, ())


def test_the_history_has_a_line_for_each_step_however_often_one_is_made(tmp_path: Path) -> None:
    for step, said in ((1, 2), (2, 1), (2, 1)):
        decided(tmp_path, said, step=step)
    lines = [json.loads(line) for line in (tmp_path / "lr_history.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(line["step"], line["epoch"], line["learning_rate"]) for line in lines] == [(1, 1, 2), (2, 1, 1)]


def test_without_control_there_is_no_limit(tmp_path: Path) -> None:
    assert unlimited(question(tmp_path)).items is None

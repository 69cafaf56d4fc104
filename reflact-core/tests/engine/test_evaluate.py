"""An evaluation: tasks whose answer is withheld, the file that is handed in, and scores of nothing."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from reflact import BackendError, ConfigError, DataError, Plugins, Rollout, RunError, Split, Task
from reflact.config import Resolved
from reflact.engine.evaluate import evaluate
from reflact.engine.train import train
from reflact.types import ChatRequest
from world import World, insightful, obedient, world


class Secretive(World):
    """A world whose test split has withheld answers, the first *known* of them excepted."""

    known = 0

    def tasks(self, split: Split) -> Sequence[Task]:
        found = super().tasks(split)
        return [replace(one, scorable=split != "test" or place < self.known) for place, one in enumerate(found)]

    def submission(self, rollouts: Sequence[Rollout]) -> str:
        return "".join(f"{one.task_id}={one.answer}\n" for one in rollouts)


class HalfSecretive(Secretive):
    known = 4


class Counted:
    """An obedient student that counts how often it is asked, and cannot be reached for the task *down*."""

    def __init__(self, down: str = "") -> None:
        self.asked: Counter[str] = Counter()
        self.down = down

    def __call__(self, request: ChatRequest) -> str:
        task = "t" + request.messages[-1].text.split()[1]
        self.asked[task] += 1
        if task == self.down:
            raise BackendError("down", fault="unavailable")
        return obedient(request)


STRICT = {"max_infra_retries": 0, "max_error_rate": 0.0}


def of(env: type[World], student: Any = obedient, *, workers: int = 4, **sections: Any) -> tuple[Resolved, Plugins]:
    """Return the world's configuration with *env* in place of it, and its plugins."""
    resolved, plugins = world(student, insightful, env={"workers": workers}, **sections)
    return replace(resolved, env_spec=replace(resolved.env_spec, build=env)), plugins


def test_withheld_tasks_are_done_once_handed_in_and_in_no_score(tmp_path: Path) -> None:
    student, file = Counted(), tmp_path / "sent" / "answers.txt"
    values = evaluate(*of(Secretive, student), tmp_path / "out", skill=None, predictions=file)
    assert file.read_text() == "".join(f"t{n}=no idea\n" for n in range(28, 40))
    assert student.asked == {f"t{n}": 1 for n in range(28, 40)}
    assert [values[key] for key in ("n_items", "n_ungraded", "n_errors")] == [0, 12, 0]
    assert [values[key] for key in ("hard", "soft", "right", "interval_95")] == [None] * 4
    assert values["predictions"] == {"file": str(file), "n": 12, "empty": 0}
    assert json.loads((tmp_path / "out" / "eval_summary.json").read_text()) == values


def test_what_was_done_for_a_file_is_not_done_again(tmp_path: Path) -> None:
    first, again, file = Counted(), Counted(), tmp_path / "answers.txt"
    written = []
    for student in (first, again):
        evaluate(*of(Secretive, student), tmp_path / "out", skill=None, predictions=file)
        written.append(file.read_text())
        file.unlink()
    assert (len(first.asked), len(again.asked), written[0]) == (12, 0, written[1])


def test_an_interrupted_evaluation_keeps_what_was_said_of_withheld_tasks(tmp_path: Path) -> None:
    broken, mended, file = Counted(down="t39"), Counted(), tmp_path / "answers.txt"
    with pytest.raises(RunError, match="1 of 12 tasks failed to run"):
        evaluate(*of(Secretive, broken, evaluation=STRICT, workers=1), tmp_path / "out", skill=None, predictions=file)
    assert not file.exists()
    evaluate(*of(Secretive, mended, evaluation=STRICT, workers=1), tmp_path / "out", skill=None, predictions=file)
    assert (len(broken.asked), mended.asked) == (12, {"t39": 1})


def test_an_error_in_a_withheld_task_is_tried_again_and_then_counted_as_one(tmp_path: Path) -> None:
    student = Counted(down="t28")
    resolved = of(Secretive, student, evaluation={"max_infra_retries": 2, "max_error_rate": 0.5})
    values = evaluate(*resolved, tmp_path / "out", skill=None, predictions=tmp_path / "answers.txt")
    assert (values["n_errors"], values["n_ungraded"]) == (1, 11)
    assert student.asked.pop("t28") > 1
    assert set(student.asked.values()) == {1}
    assert (tmp_path / "answers.txt").read_text().startswith("t28=\n")


def test_only_what_has_an_answer_is_scored(tmp_path: Path) -> None:
    skill = tmp_path / "skill.md"
    skill.write_text("RULE 0.")
    values = evaluate(*of(HalfSecretive), tmp_path / "out", skill=skill, predictions=tmp_path / "answers.txt")
    assert (values["n_items"], values["right"], values["hard"], values["n_ungraded"]) == (4, 1, 0.25, 8)
    assert values["by_kind"]["overall"] == {"total": 4, "hard_acc": 0.25, "soft": 0.25}


def test_without_a_file_to_hand_in_withheld_tasks_are_refused_before_a_call(tmp_path: Path) -> None:
    student = Counted()
    with pytest.raises(DataError, match=r"test: 8 of 12 tasks \(t32, t33, t34, …\) cannot be scored.*--predictions"):
        evaluate(*of(HalfSecretive, student), tmp_path / "out", skill=None)
    assert not student.asked


def test_an_env_without_a_form_for_it_is_refused_before_a_call(tmp_path: Path) -> None:
    student = Counted()
    with pytest.raises(ConfigError, match="env 'world' has no form in which answers are handed in"):
        evaluate(*of(World, student), tmp_path / "out", skill=None, predictions=tmp_path / "answers.txt")
    assert not student.asked


def test_scored_tasks_can_be_handed_in_too(tmp_path: Path) -> None:
    values = evaluate(*of(Secretive), tmp_path / "out", skill=None, split="val", predictions=tmp_path / "answers.txt")
    assert (values["n_items"], values["hard"], values["n_ungraded"]) == (12, 0.0, 0)
    assert len((tmp_path / "answers.txt").read_text().splitlines()) == 12


def test_a_run_measures_nothing_it_could_not_score(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"set evaluation\.eval_test=false"):
        train(*of(Secretive), tmp_path / "refused")
    summary = train(*of(Secretive, evaluation={"eval_test": False}), tmp_path / "run")
    assert summary.values["best_selection_hard"] > 0

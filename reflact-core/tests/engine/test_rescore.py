"""Grading what a run has stored once more: what changes, what would be decided, and that the run stays as it is."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest
from reflact import ConfigError, EnvSpec, Plugins, Rollout, RunError, Split, Task, hookimpl
from reflact.config import Resolved
from reflact.engine.evaluate import evaluate
from reflact.engine.rescore import rescore
from reflact.engine.resume import reload
from reflact.engine.train import train
from reflact.kit.qa import Grade, regraded
from reflact.testing.fakes import ScriptedModel, scripted_backend
from reflact.types import ChatRequest
from world import World, WorldConfig, artifacts, insightful, obedient, world

Grader = Callable[[Task, str], bool]
SPLITS: tuple[Literal["val", "all"], ...] = ("val", "all")


class RegradedWorld(World):
    """The world with a grader that may say otherwise than the one that was at work in the run."""

    def __init__(self, config: WorldConfig, grader: Grader) -> None:
        super().__init__(config)
        self._grader = grader

    def regrade(self, task: Task, rollout: Rollout) -> Rollout:
        def grade(reply: str) -> Grade:
            right = float(self._grader(task, reply))
            return Grade(hard=right, soft=right, answer=reply)

        return regraded(rollout, grade)


@dataclass(frozen=True)
class Installed:
    """A plugin with the env as it is installed when the run is scored again."""

    grader: Grader

    @hookimpl
    def reflact_envs(self) -> list[EnvSpec]:
        return [EnvSpec(name="world", config=WorldConfig, build=lambda config: RegradedWorld(config, self.grader))]


def as_it_was(task: Task, reply: str) -> bool:
    return reply == f"done {task.data['n']}"


def turned_round(task: Task, reply: str) -> bool:
    return not as_it_was(task, reply)


def plugins_with(grader: Grader) -> Plugins:
    found = Plugins()
    found.register(Installed(grader), label="world")
    for role in ("student", "teacher"):
        found.register(scripted_backend(f"scripted_{role}", ScriptedModel(unasked)), label=role)
    return found


def unasked(request: ChatRequest) -> str:
    raise AssertionError("a model was asked")


def ran(folder: Path, teacher: Any = insightful, **sections: Any) -> Resolved:
    resolved, plugins = world(obedient, teacher, **sections)
    train(resolved, plugins, folder, observers=plugins.observers(disabled=frozenset(plugins.names("observers"))))
    return resolved


def evaluated(folder: Path, split: Split | Literal["all"] = "test") -> None:
    """Score a skill that holds one of the four rules."""
    resolved, plugins = world()
    skill = folder.with_name(f"{folder.name}.md")
    skill.write_text("RULE 0.")
    evaluate(resolved, plugins, folder, skill=skill, split=split)


def polite(request: ChatRequest) -> str:
    """A teacher whose only proposal takes the one useful rule away."""
    edit = {"op": "replace", "target": "RULE 0.", "content": "Be polite."}
    said = json.loads(insightful(request))
    if request.stage == "analyst":
        said["patch"]["edits"] = [edit]
    elif request.stage == "merge":
        said["edits"] = [{**edit, "sources": [0]}]
    return json.dumps(said)


def test_the_same_scorer_changes_nothing_and_decides_the_same(tmp_path: Path) -> None:
    ran(tmp_path, optimizer={"use_slow_update": True, "use_meta_reflect": True}, train={"num_epochs": 2})
    values = rescore(tmp_path, plugins_with(as_it_was))
    assert values["n_rollouts"] > 60
    assert values["n_changed"] == 0
    assert len(values["decisions"]) >= 3
    assert all(one["now"] == one["was"] for one in values["decisions"]), values["decisions"]
    assert {folder["split"] for folder in values["folders"]} == {"train", "val", "test"}


def test_another_scorer_tells_old_and_new_scores_items_and_decisions(tmp_path: Path) -> None:
    ran(tmp_path)
    values = rescore(tmp_path, plugins_with(lambda task, reply: True))
    baseline = next(one for one in values["folders"] if one["folder"] == "selection_eval_baseline")
    assert (baseline["hard"], baseline["split"], len(baseline["changed"])) == ([0.0, 1.0], "val", 12)
    assert baseline["changed"][0] == {"task_id": "t16", "hard": [0.0, 1.0], "soft": [0.0, 1.0]}
    first = values["decisions"][0]
    assert (first["file"], first["was"]) == ("steps/step_0001/decision.json", "accept_new_best")
    assert (first["now"], first["differs"], first["current"]) == ("reject", True, [0.0, 1.0])


def test_a_candidate_that_was_given_up_early_is_not_decided_on_what_was_never_tried(tmp_path: Path) -> None:
    skill = tmp_path / "skill.md"
    skill.write_text("RULE 0.")
    ran(tmp_path / "run", teacher=polite, env={"skill_init": str(skill)}, train={"batch_size": 16})
    values = rescore(tmp_path / "run", plugins_with(turned_round))
    decision = values["decisions"][0]
    assert json.loads((tmp_path / "run/steps/step_0001/selection_score.json").read_text())["curtailed"]
    assert (decision["was"], decision["now"], decision["differs"]) == ("reject", "open", False)


def test_the_run_stays_as_it_is_and_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    ran(tmp_path)
    before = artifacts(tmp_path)
    values = rescore(tmp_path, plugins_with(turned_round), dry_run=True)
    assert artifacts(tmp_path) == before
    assert rescore(tmp_path, plugins_with(turned_round)) == values
    after = artifacts(tmp_path)
    assert json.loads(after.pop("rescore.json")) == values
    assert after == before


def test_an_evaluation_is_graded_again_like_a_run(tmp_path: Path) -> None:
    evaluated(tmp_path)
    before = artifacts(tmp_path)
    values = rescore(tmp_path, plugins_with(turned_round))
    (folder,) = values["folders"]
    assert (folder["folder"], folder["split"], folder["n"]) == ("eval/test", "test", 12)
    assert (folder["hard"], folder["soft"], values["n_changed"]) == ([0.25, 0.75], [0.25, 0.75], 12)
    assert values["decisions"] == []
    after = artifacts(tmp_path)
    assert json.loads(after.pop("rescore.json")) == values
    assert after == before


def test_an_evaluation_that_was_stopped_is_graded_as_far_as_it_came(tmp_path: Path) -> None:
    evaluated(tmp_path)
    (tmp_path / "eval_summary.json").unlink()
    rows = (tmp_path / "eval/test/results.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "eval/test/results.jsonl").write_text("".join(rows[:5]))
    (folder,) = rescore(tmp_path, plugins_with(as_it_was))["folders"]
    assert (folder["n"], folder["changed"]) == (5, [])


def test_several_splits_in_one_folder_are_told_apart_and_all_of_them_is_a_split_too(tmp_path: Path) -> None:
    for split in SPLITS:
        evaluated(tmp_path, split)
    folders = rescore(tmp_path, plugins_with(as_it_was))["folders"]
    assert {(one["folder"], one["split"], one["n"]) for one in folders} == {
        ("eval/all", "all", 40),
        ("eval/val", "val", 12),
    }


def test_an_evaluation_is_no_run_that_could_be_gone_on_with(tmp_path: Path) -> None:
    evaluated(tmp_path)
    with pytest.raises(RunError, match="holds no run to resume"):
        reload(tmp_path, plugins_with(as_it_was))


def test_what_is_graded_by_may_be_said_anew(tmp_path: Path) -> None:
    items = [{"question": f"task {n} of rule {n}", "answer": f"DONE {n}"} for n in range(3)]
    (tmp_path / "items.jsonl").write_text("\n".join(map(json.dumps, items)))
    data = {"name": "qa", "data_path": str(tmp_path / "items.jsonl"), "split_ratio": "1:1:1"}
    resolved, plugins = world(student=lambda request: f"done {request.messages[-1].text.split()[1]}", env=data)
    evaluate(resolved, plugins, tmp_path / "out", skill=None, split="all")
    as_said = rescore(tmp_path / "out", plugins, dry_run=True)
    anew = rescore(tmp_path / "out", plugins, overrides=("env.normalize=true",))
    assert [one["folders"][0]["hard"] for one in (as_said, anew)] == [[0.0, 0.0], [0.0, 1.0]]


def test_a_task_that_is_gone_is_named_and_keeps_its_score(tmp_path: Path) -> None:
    ran(tmp_path)
    file = tmp_path / "selection_eval_baseline" / "results.jsonl"
    file.write_text(file.read_text().replace('"t17"', '"t99"'))
    values = rescore(tmp_path, plugins_with(lambda task, reply: True))
    baseline = next(one for one in values["folders"] if one["folder"] == "selection_eval_baseline")
    assert baseline["not_regraded"] == ["t99: not among the tasks of the env any more"]
    assert len(baseline["changed"]) == 11


def test_an_env_that_cannot_grade_again_is_named(tmp_path: Path) -> None:
    _, plugins = world()
    ran(tmp_path)
    with pytest.raises(ConfigError, match="env 'world' cannot grade again what is stored"):
        rescore(tmp_path, plugins)


def test_a_folder_without_a_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="holds no run and no evaluation"):
        rescore(tmp_path, plugins_with(as_it_was))

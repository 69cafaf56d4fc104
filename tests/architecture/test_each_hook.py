"""Each of the nine hooks does in a real run what its docstring says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from reflact import BackendSpec, EnvSpec, PromptPack, RunError, Summary, UpdateModeSpec, hookimpl
from reflact.config import Config, resolve
from reflact.contracts import EpochRecord, RunInfo, StageDone, StepRecord
from reflact.engine.train import train
from reflact.modes.patch import Patch
from reflact.plugins import Plugins
from reflact.testing import ScriptedModel
from reflact.types import ChatRequest
from world import World, WorldConfig, obedient, world

MODELS = {"student": {"backend": "scripted_student"}, "teacher": {"backend": "scripted_teacher"}}
SMALL: Mapping[str, Any] = {
    "model": MODELS,
    "train": {"num_epochs": 1, "batch_size": 8},
    "optimizer": {"use_slow_update": False, "use_meta_skill": False},
    "env": {"name": "world"},
}


def run(plugins: Plugins, out: Path, **sections: Any) -> Summary:
    """Train in the world with *sections* laid over a small configuration; only observers in *plugins* listen."""
    resolved = resolve({**SMALL, **sections}, plugins=plugins)
    return train(resolved, plugins, out, observers=plugins.observers(disabled=frozenset(plugins.names("observers"))))


def test_reflact_envs_registers_a_benchmark_that_a_config_can_name(tmp_path: Path) -> None:
    class Plugin:
        @hookimpl
        def reflact_envs(self) -> list[EnvSpec]:
            return [EnvSpec(name="other_world", config=WorldConfig, build=World)]

    _, plugins = world()
    plugins.register(Plugin())
    assert run(plugins, tmp_path, env={"name": "other_world", "rules": 2}).values["env"] == "other_world"


def test_reflact_backends_registers_a_model_that_can_play_a_role(tmp_path: Path) -> None:
    model = ScriptedModel(obedient)

    class Plugin:
        @hookimpl
        def reflact_backends(self) -> list[BackendSpec]:
            return [BackendSpec(name="mine", kind="chat", config=Config, build=lambda config: model)]

    _, plugins = world()
    plugins.register(Plugin())
    run(plugins, tmp_path, model={**MODELS, "student": {"backend": "mine"}})
    assert any(request.stage == "rollout" for request in model.requests)


def test_reflact_update_modes_registers_a_way_to_make_the_candidate(tmp_path: Path) -> None:
    class Report(Patch):
        artifact = "what_became_of_it.json"

    class Plugin:
        @hookimpl
        def reflact_update_modes(self) -> list[UpdateModeSpec]:
            return [UpdateModeSpec(name="reporting", build=Report)]

    _, plugins = world()
    plugins.register(Plugin())
    run(plugins, tmp_path, optimizer={**SMALL["optimizer"], "skill_update_mode": "reporting"})
    assert (tmp_path / "steps" / "step_0001" / "what_became_of_it.json").is_file()


def test_reflact_prompts_registers_templates_that_go_before_the_cores(tmp_path: Path) -> None:
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "student.md.j2").write_text("In short.\n{{ skill }}\n")
    seen: list[str] = []

    def student(request: ChatRequest) -> str:
        seen.append(request.messages[0].text)
        return obedient(request)

    class Plugin:
        @hookimpl
        def reflact_prompts(self) -> list[PromptPack]:
            return [PromptPack(name="short", root=tmp_path / "pack")]

    _, plugins = world(student=student)
    plugins.register(Plugin())
    run(plugins, tmp_path / "run", prompts=["short"])
    assert seen and all(text.startswith("In short.") for text in seen)


class Listener:
    """Writes down what it is told, and what the folder holds by then."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.started: list[RunInfo] = []
        self.stages: list[StageDone] = []
        self.steps: list[tuple[StepRecord, int]] = []
        self.epochs: list[EpochRecord] = []
        self.finished: list[Summary] = []
        self.order: list[str] = []

    @hookimpl
    def reflact_run_started(self, run: RunInfo) -> None:
        self.order.append("run started")
        self.started.append(run)

    @hookimpl
    def reflact_stage_finished(self, stage: StageDone) -> None:
        self.stages.append(stage)

    @hookimpl
    def reflact_step_finished(self, record: StepRecord) -> None:
        self.order.append(f"step {record.step}")
        state = json.loads((self.out / "runtime_state.json").read_text())
        self.steps.append((record, state["last_completed_step"]))

    @hookimpl
    def reflact_epoch_finished(self, record: EpochRecord) -> None:
        self.order.append(f"epoch {record.epoch}")
        self.epochs.append(record)

    @hookimpl
    def reflact_run_finished(self, summary: Summary) -> None:
        self.order.append("run finished")
        self.finished.append(summary)


@pytest.fixture
def heard(tmp_path: Path) -> Listener:
    """What a listener heard of a run of two steps."""
    _, plugins = world()
    listener = Listener(tmp_path)
    plugins.register(listener)
    run(plugins, tmp_path)
    return listener


def test_reflact_run_started_tells_first_how_large_the_run_is(heard: Listener) -> None:
    assert heard.order == ["run started", "step 1", "step 2", "epoch 1", "run finished"]
    info = heard.started[0]
    assert (info.env, info.total_steps, info.epochs, info.resumed_from) == ("world", 2, 1, None)
    assert dict(info.sizes) == {"train": 16, "val": 12, "test": 12}


def test_reflact_stage_finished_hears_the_stages_of_a_step_in_order(heard: Listener) -> None:
    names = [stage.name for stage in heard.stages if stage.step == 1]
    # the score of a candidate is one artifact more than the rollouts it is made of
    assert names[:5] == ["rollout", "reflect", "aggregate", "select", "update"]
    assert names[-3:] == ["evaluate", "gate", "digest"]
    assert all(stage.artifact.exists() and not stage.from_disk for stage in heard.stages)


def test_reflact_stage_finished_says_what_a_resumed_run_only_read(heard: Listener, tmp_path: Path) -> None:
    (tmp_path / "runtime_state.json").unlink()
    _, plugins = world()
    again = Listener(tmp_path)
    plugins.register(again)
    run(plugins, tmp_path)
    assert {stage.from_disk for stage in again.stages if stage.name in ("aggregate", "select", "gate")} == {True}


def test_reflact_step_finished_comes_when_the_step_is_committed(heard: Listener) -> None:
    assert [(record.step, committed) for record, committed in heard.steps] == [(1, 1), (2, 2)]
    history = json.loads((heard.out / "history.json").read_text())
    assert [dict(record.record) for record, _ in heard.steps] == history


def test_reflact_epoch_finished_counts_the_steps_of_the_epoch(heard: Listener) -> None:
    epoch = heard.epochs[0]
    assert epoch.accepts + epoch.rejects + epoch.skips == 2
    assert epoch.best_score == heard.finished[0].values["best_selection_hard"]


def test_reflact_run_finished_tells_the_result(heard: Listener) -> None:
    summary = heard.finished[0]
    assert summary.error is None
    assert summary.values["test_hard"] == json.loads((heard.out / "summary.json").read_text())["test_hard"]


def test_reflact_run_finished_also_tells_of_an_end_by_error(tmp_path: Path) -> None:
    def broken(request: ChatRequest) -> str:
        raise OSError("no route to the model")

    _, plugins = world(student=broken)
    listener = Listener(tmp_path)
    plugins.register(listener)
    with pytest.raises(RunError):
        run(plugins, tmp_path)
    assert "no route to the model" in (listener.finished[0].error or "")
    assert listener.order == ["run started", "run finished"]

"""A small world for tests of the loop: hidden rules, an obedient student, an insightful teacher."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from reflact import EnvSpec, ExecAgent, Plugins, Rollout, Skill, Split, Student, Task, hookimpl
from reflact.config import Config, Resolved, resolve
from reflact.testing.fakes import ScriptedModel, scripted_backend
from reflact.types import ChatRequest

SIZES: Mapping[Split, range] = {"train": range(0, 16), "val": range(16, 28), "test": range(28, 40)}


class WorldConfig(Config):
    """Section `env` of the world."""

    rules: int = 4


class World:
    """Task N is right when the skill holds rule N mod `rules`."""

    def __init__(self, config: WorldConfig) -> None:
        self.rules = config.rules

    def tasks(self, split: Split) -> Sequence[Task]:
        return [Task(id=f"t{n:02d}", kind=f"rule{n % self.rules}", data={"n": n}) for n in SIZES[split]]

    def run(self, task: Task, *, skill: Skill, student: Student, workdir: Path) -> Rollout:
        number = task.data["n"]
        answer = student.answer(f"task {number} of rule {number % self.rules}", skill=skill, workdir=workdir)
        right = float(answer == f"done {number}")
        return Rollout(task_id=task.id, hard=right, soft=right, answer=answer, expected=(f"done {number}",))


class WorldPlugin:
    @hookimpl
    def reflact_envs(self) -> list[EnvSpec]:
        return [EnvSpec(name="world", config=WorldConfig, build=World)]


def obedient(request: ChatRequest) -> str:
    """Answer rightly when the skill holds the task's rule."""
    number, rule = map(int, re.findall(r"\d+", request.messages[-1].text)[:2])
    skill = request.messages[0].text if len(request.messages) > 1 else ""
    return f"done {number}" if f"RULE {rule}." in skill else "no idea"


def insightful(request: ChatRequest) -> str:
    """Propose the rule of the first failed task shown; merge by keeping everything, rank by order."""
    text = request.messages[-1].text
    if request.stage == "analyst":
        rule = re.search(r"of rule (\d+)", text)
        edits = [{"op": "append", "target": "", "content": f"- RULE {rule.group(1)}."}] if rule else []
        failures = [{"failure_type": "rule unknown", "count": 1, "description": "a rule is missing"}]
        return json.dumps({"failure_summary": failures, "patch": {"reasoning": "seen", "edits": edits}})
    if request.stage == "merge":
        contents = dict.fromkeys(re.findall(r"- RULE \d+\.", text.split("# The proposed edits")[-1]))
        items = [{"op": "append", "target": "", "content": one, "sources": [at]} for at, one in enumerate(contents)]
        return json.dumps({"reasoning": "joined", "edits": items})
    if request.stage == "slow_update":
        rules = dict.fromkeys(re.findall(r"of rule (\d+)", text))
        return json.dumps({"reasoning": "", "slow_update_content": " ".join(f"RULE {rule}." for rule in rules)})
    if request.stage == "meta_skill":
        return json.dumps({"reasoning": "", "meta_skill_content": "One rule an edit is best."})
    if request.stage == "meta_reflect":
        edit = {"op": "append", "target": "", "content": "RULE 0. RULE 1. RULE 2. RULE 3."}
        return json.dumps({"meta_summary": "rules help", "patch": {"reasoning": "all", "edits": [edit]}})
    return json.dumps({"reasoning": "in order", "selected_indices": [0]})


def world(
    student: Any = obedient, teacher: Any = insightful, **sections: Mapping[str, Any]
) -> tuple[Resolved, Plugins]:
    """Return a resolved configuration of the world and the plugins it needs; *sections* are laid over it.

    *student* is an agent, or a function of a request, as *teacher* is.
    """
    plugins = Plugins()
    plugins.register(WorldPlugin(), label="world")
    played = student if isinstance(student, ExecAgent) else ScriptedModel(student)
    plugins.register(scripted_backend("scripted_student", played), label="student")
    plugins.register(scripted_backend("scripted_teacher", ScriptedModel(teacher)), label="teacher")
    data: dict[str, Any] = {
        "model": {"student": {"backend": "scripted_student"}, "teacher": {"backend": "scripted_teacher"}},
        "train": {"num_epochs": 1, "batch_size": 8},
        "gradient": {"minibatch_size": 3, "analyst_workers": 4},
        "optimizer": {"use_slow_update": False, "use_meta_skill": False},
        "env": {"name": "world", "workers": 4},
    }
    for name, section in sections.items():
        data[name] = {**data.get(name, {}), **section}
    return resolve(data, plugins=plugins), plugins


def artifacts(root: Path) -> dict[str, bytes]:
    """Return every file of a run that a resumed one must equal, by relative path."""
    of_a_process = {"timing.jsonl", "calls.jsonl", "usage.json", ".lock"}
    return {
        file.relative_to(root).as_posix(): file.read_bytes()
        for file in sorted(root.rglob("*"))
        if file.is_file() and file.name not in of_a_process and not file.name.startswith(".")
    }

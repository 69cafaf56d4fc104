"""A benchmark with models made of Python: tasks are right once the skill says which word opens their door."""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from reflact import BackendSpec, ChatRequest, EnvSpec, Rollout, Skill, Split, Student, Task, hookimpl
from reflact.config import Config
from reflact.testing import ScriptedModel

DOORS = {"train": range(0, 8), "val": range(8, 16), "test": range(16, 24)}


class Settings(Config):
    """Nothing can be set."""


class Model(Config):
    """The section of both models."""

    model: str = "made of Python"


class Doors:
    """Every second door is red, the others are blue."""

    def tasks(self, split: Split) -> Sequence[Task]:
        return [Task(id=f"door{number:02d}", data={"colour": ("red", "blue")[number % 2]}) for number in DOORS[split]]

    def run(self, task: Task, *, skill: Skill, student: Student, workdir: Path) -> Rollout:
        colour = task.data["colour"]
        said = student.answer(f"Which word opens the {colour} door?", skill=skill, workdir=workdir)
        right = float(said == f"open {colour}")
        return Rollout(task_id=task.id, hard=right, soft=right, answer=said, question=f"the {colour} door")


def student(request: ChatRequest) -> str:
    """Open the doors the skill tells of."""
    [colour] = re.findall(r"the (\w+) door", request.messages[-1].text)
    return f"open {colour}" if f"{colour}: open {colour}" in request.messages[0].text else "please"


def teacher(request: ChatRequest) -> str:
    """Tell of the doors that stayed shut."""
    text = request.messages[-1].text
    if request.stage == "merge":
        return json.dumps({"lines": [{"text": line} for line in dict.fromkeys(re.findall(r"\] (.+)", text))]})
    colours = dict.fromkeys(re.findall(r"Which word opens the (\w+) door", text))
    return json.dumps({"patch": {"lines": [{"text": f"{colour}: open {colour}"} for colour in colours]}})


@hookimpl
def reflact_envs() -> list[EnvSpec]:
    """Return the benchmark."""
    return [EnvSpec(name="doors", config=Settings, build=lambda settings: Doors())]


@hookimpl
def reflact_backends() -> list[BackendSpec]:
    """Return both models."""
    return [_backend("student", student), _backend("teacher", teacher)]


def _backend(name: str, replies: Callable[[ChatRequest], str]) -> BackendSpec:
    return BackendSpec(name=name, kind="chat", config=Model, build=lambda settings: ScriptedModel(replies))

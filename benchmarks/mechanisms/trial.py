"""One run of the product in the scripted world, and what came of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from reflact import Plugins
from reflact.config import resolve
from reflact.engine.train import train
from reflact.testing.fakes import ScriptedModel, scripted_backend

from benchmarks.mechanisms.conditions import VARIANTS, Setting, Variant, setting
from benchmarks.mechanisms.models import Insightful, Obedient
from benchmarks.mechanisms.world import Truth, WorldPlugin

SHM = Path("/dev/shm")
"""Where run folders are made if it is there: every artifact is flushed, which costs nothing in memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A finished run. Scores are shares of 1; `expected` is the true one of the best skill, `measured` the test's.

    Calls are those really made, without the test's. Everything but the student's is a function of variant and seed:
    a student as quick as a script is ahead by some calls when an evaluation is given up.
    """

    setting: str
    variant: str
    seed: int
    start: float
    expected: float
    selection: float
    measured: float
    student_calls: int
    teacher_calls: int
    accepts: int
    skill: str


def outcome(where: str, variant: str, seed: int, kept: Path) -> Outcome:
    """Return the run of *variant* in the setting *where*: read from the folder *kept*, or made and put there."""
    file = kept / f"{where}-{variant}-{seed}.json"
    if not file.is_file():
        with TemporaryDirectory(dir=SHM if SHM.is_dir() else None) as folder:
            made = _run(where, variant, seed, Path(folder) / "run")
        kept.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(asdict(made), indent=1), encoding="utf-8")
    return Outcome(**json.loads(file.read_text(encoding="utf-8")))


def _run(where: str, name: str, seed: int, folder: Path) -> Outcome:
    world, variant = setting(where), VARIANTS[name]
    truth = Truth(seed, world.given)
    plugins = Plugins()
    plugins.register(WorldPlugin(world.given), label="world")
    student, teacher = ScriptedModel(Obedient(truth)), ScriptedModel(Insightful(truth, variant.blind))
    plugins.register(scripted_backend("scripted_student", student), label="student")
    plugins.register(scripted_backend("scripted_teacher", teacher), label="teacher")
    quiet = plugins.observers(disabled=frozenset(plugins.names("observers")))
    values = train(resolve(_config(world, variant, seed), plugins=plugins), plugins, folder, observers=quiet).values
    skill = (folder / "best_skill.md").read_text(encoding="utf-8")
    return Outcome(
        setting=where,
        variant=name,
        seed=seed,
        start=truth.expected(""),
        expected=truth.expected(skill),
        selection=values["best_selection_hard"],
        measured=values["test_hard"],
        student_calls=_calls(values, "student", but="test"),
        teacher_calls=_calls(values, "teacher"),
        accepts=values["total_accepts"],
        skill=skill,
    )


def _config(world: Setting, variant: Variant, seed: int) -> dict[str, Any]:
    data: dict[str, dict[str, Any]] = {
        "model": {"student": {"backend": "scripted_student"}, "teacher": {"backend": "scripted_teacher"}},
        **{name: dict(section) for name, section in world.sections.items()},
    }
    for name, section in variant.sections.items():
        data[name] = {**data.get(name, {}), **section}
    data["train"]["seed"] = seed
    data["env"]["seed"] = seed
    return data


def _calls(values: Mapping[str, Any], role: str, but: str = "none") -> int:
    """Return the calls of *role* in all stages but those whose names begin with *but*."""
    stages = values["spent"].get(role, {}).get("stages", {})
    return sum(usage["calls"] for stage, usage in stages.items() if not stage.startswith(but))

"""The table of artifacts is complete and true: it names each file that runs write, and no other."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from reflact import ChatRequest, Rollout, Skill, Student, Task
from reflact.engine.evaluate import evaluate
from reflact.engine.rescore import rescore
from reflact.engine.train import train
from workspace import ROOT
from world import World, insightful, world

PAGE = ROOT / "docs" / "reference" / "artifacts.md"
ROW = re.compile(r"^\| `([^`]+)` \|", re.M)
SLOW = {"use_slow_update": True, "use_meta_skill": True, "longitudinal_pair_policy": "changed", "learning_rate": 1}
META = {"use_meta_reflect": True, "lr_control_mode": "autonomous"}
PLACEHOLDERS = {
    "NNNN": r"\d{4}",
    "NNN": r"\d{3}",
    "NN": r"\d{2}",
    "N": r"\d+",
    "TASK": "[^/]+",
    "NAME": "[^/]+",
    "SPLIT": "[a-z]+",
    "FOLDER": ".+",
}


class DiligentWorld(World):
    """A world whose tasks leave notes behind."""

    def run(self, task: Task, *, skill: Skill, student: Student, workdir: Path) -> Rollout:
        workdir.mkdir(parents=True, exist_ok=True)
        (workdir / "notes.txt").write_text(f"did {task.id}\n")
        return super().run(task, skill=skill, student=student, workdir=workdir)


def rewriting(request: ChatRequest) -> str:
    """Suggest a rule, or write a document with one, whichever the update mode asks for."""
    rule = "RULE 0. RULE 1."
    suggestion = {"type": "add_rule", "title": "a rule", "instruction": rule}
    patch = {"revise_suggestions": [suggestion], "skill_candidates": [{"title": "a rule", "new_skill": rule}]}
    return json.dumps({**patch, "patch": patch, "new_skill": rule, "selected_indices": [0]})


def thorough(request: ChatRequest) -> str:
    """Design a probe, and write a reminder beside what the insightful teacher proposes."""
    if request.stage == "deep_probe":
        return json.dumps({"reasoning": "", "probe_instruction": "Say which rule you go by."})
    said = json.loads(insightful(request))
    return json.dumps({**said, "appendix_notes": ["Look for a rule first."]})


SHAPES: Sequence[tuple[Callable[[ChatRequest], str], Mapping[str, Mapping[str, Any]]]] = (
    (insightful, {}),
    (insightful, {"train": {"batch_size": 4, "accumulation": 2}, "optimizer": {"candidates_per_step": 3}}),
    (insightful, {"train": {"num_epochs": 2}, "optimizer": SLOW}),
    (insightful, {"optimizer": META, "evaluation": {"gate_repeats": 2}}),
    (thorough, {"gradient": {"use_deep_reflect": True}, "optimizer": {"use_skill_aware_reflection": True}}),
    (rewriting, {"optimizer": {"skill_update_mode": "rewrite_from_suggestions"}}),
    (rewriting, {"optimizer": {"skill_update_mode": "full_rewrite_minibatch"}}),
)


@pytest.fixture(scope="module")
def training(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The files of runs that together use everything; folders of a part or a repeat are left out of the names."""
    found: set[str] = set()
    for number, (teacher, sections) in enumerate(SHAPES):
        resolved, plugins = world(teacher=teacher, **sections)
        diligent = replace(resolved, env_spec=replace(resolved.env_spec, build=DiligentWorld))
        folder = tmp_path_factory.mktemp(f"run_{number}")
        train(diligent, plugins, folder)
        found |= {re.sub(r"/(?:batch|repeat|topup)_\d+(?=/)", "", name) for name in files(folder)}
    return found | dealt(tmp_path_factory.mktemp("dealt"))


def dealt(folder: Path) -> set[str]:
    """Return the files of a run that deals its items into splits itself, and is scored again."""
    items = [{"question": f"task {n} of rule {n}", "answer": f"done {n}"} for n in range(3)]
    (folder / "items.jsonl").write_text("\n".join(map(json.dumps, items)))
    resolved, plugins = world(env={"name": "qa", "data_path": str(folder / "items.jsonl"), "split_ratio": "1:1:1"})
    train(resolved, plugins, folder / "run")
    rescore(folder / "run", plugins)
    return files(folder / "run")


@pytest.fixture(scope="module")
def evaluation(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The files of a folder in which two skills were evaluated."""
    out = tmp_path_factory.mktemp("evaluation")
    resolved, plugins = world()
    for number in range(2):
        skill = out.with_name(f"skill_{number}.md")
        skill.write_text(f"RULE {number}.\n")
        evaluate(resolved, plugins, out, skill=skill)
    return files(out) | graded_again(tmp_path_factory.mktemp("graded_again"))


def graded_again(folder: Path) -> set[str]:
    """Return the files of an evaluation, of a split that was there, that is scored again."""
    for n, split in enumerate(("train", "val", "test")):
        item = {"question": f"task {n} of rule {n}", "answer": f"done {n}"}
        (folder / f"{split}.jsonl").write_text(json.dumps(item))
    resolved, plugins = world(env={"name": "qa", "split_dir": str(folder)})
    evaluate(resolved, plugins, folder / "out", skill=None)
    rescore(folder / "out", plugins)
    return files(folder / "out")


def test_every_file_of_a_run_is_in_the_table(training: set[str]) -> None:
    assert not [name for name in training if not any(row.fullmatch(name) for row in run_rows().values())]


def test_every_row_about_a_run_is_written_by_one(training: set[str]) -> None:
    assert not [row for row, pattern in run_rows().items() if not any(map(pattern.fullmatch, training))]


def test_every_file_of_an_evaluation_is_in_its_table(evaluation: set[str]) -> None:
    rows = patterns(section("An evaluation"))
    assert not [name for name in evaluation if not any(row.fullmatch(name) for row in rows.values())]


def test_every_row_about_an_evaluation_is_written_by_one(evaluation: set[str]) -> None:
    rows = patterns(section("An evaluation"))
    assert not [row for row, pattern in rows.items() if not any(map(pattern.fullmatch, evaluation))]


def test_every_row_about_results_is_written_somewhere(training: set[str], evaluation: set[str]) -> None:
    rows = patterns(section("Results"), below="FOLDER/")
    assert not [row for row, pattern in rows.items() if not any(map(pattern.fullmatch, training | evaluation))]


def files(folder: Path) -> set[str]:
    return {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}


def run_rows() -> dict[str, re.Pattern[str]]:
    """Return the rows about a run, those about a step below its folder."""
    whole = patterns(section("A training run")) | patterns(section("The end of an epoch"))
    return whole | patterns(section("A step"), below="steps/step_NNNN/")


def section(title: str) -> str:
    """Return the text below the heading *title*."""
    _, _, rest = PAGE.read_text(encoding="utf-8").partition(f"\n## {title}\n")
    assert rest, f"{PAGE} has no section {title!r}"
    return rest.partition("\n## ")[0]


def patterns(text: str, *, below: str = "") -> dict[str, re.Pattern[str]]:
    """Return each path of the table in *text* with the pattern it stands for."""
    return {row: re.compile(_pattern(f"{below}{row}")) for row in ROW.findall(text)}


def _pattern(path: str) -> str:
    words = re.compile("|".join(rf"(?<![A-Z]){word}(?![A-Z])" for word in PLACEHOLDERS))
    pattern = words.sub(lambda match: PLACEHOLDERS[match[0]], re.escape(path))
    if not path.endswith("/"):
        return pattern
    results = "|".join(map(_pattern, ROW.findall(section("Results"))))
    return f"{pattern}(?:{results})"

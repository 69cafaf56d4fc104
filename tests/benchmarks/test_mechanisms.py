"""The benchmark of mechanisms runs, gives the same again, and its true scores are those the student shows."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from reflact import ChatRequest
from reflact.types import Message
from workspace import ROOT

from benchmarks.mechanisms.conditions import SETTINGS, SWEEPS, at, setting, varied
from benchmarks.mechanisms.models import Obedient
from benchmarks.mechanisms.trial import outcome
from benchmarks.mechanisms.world import Truth

SCRIPT = ROOT / "benchmarks" / "mechanisms" / "run.py"
PAGE = "before\n<!-- mechanisms -->\nold\n<!-- /mechanisms -->\nafter\n"


def bench(folder: Path) -> None:
    """Compare two seeds of one world with and without the gate; runs, figures and a page go into *folder*."""
    (folder / "page.md").write_text(PAGE, encoding="utf-8")
    files = {"--out": "runs", "--table": "page.md", "--json": "figures.json"}
    places = [word for option, name in files.items() for word in (option, str(folder / name))]
    command = [
        sys.executable,
        str(SCRIPT),
        "--only",
        "gate",
        "--settings",
        "restless",
        "--sweeps",
        "--seeds",
        "2",
        *places,
    ]
    subprocess.run(command, check=True, capture_output=True)


def read(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mechanisms")
    bench(folder)
    return folder


def test_a_gate_keeps_out_what_does_harm_in_this_world(made: Path) -> None:
    gate: Mapping[str, Any] = read(made / "figures.json")["restless"]["gate"]
    assert gate["seeds"] == 2
    assert gate["expected_with"] > gate["expected_without"]
    low, high = gate["interval_95"]
    assert low < gate["difference"] < high


def test_the_measured_score_of_a_skill_is_its_true_one_within_chance(made: Path) -> None:
    runs = [read(file) for file in sorted((made / "runs").iterdir())]
    assert len(runs) == 4
    four_deviations_of_200_tasks = 4 * (0.25 / 200) ** 0.5
    assert all(abs(run["measured"] - run["expected"]) < four_deviations_of_200_tasks for run in runs)
    assert {run["student_calls"] for run in runs if run["accepts"]} != {0}


def test_the_table_takes_its_place_in_the_page_and_nothing_else_changes(made: Path) -> None:
    page = (made / "page.md").read_text(encoding="utf-8")
    assert page.startswith("before\n<!-- mechanisms -->\n\n### A restless student")
    assert page.count("| mechanism |") == 1
    assert page.endswith("|\n\n<!-- /mechanisms -->\nafter\n")
    assert "old" not in page


def test_a_run_that_is_made_again_comes_to_the_same(made: Path) -> None:
    first = [reached(file) for file in sorted((made / "runs").iterdir())]
    figures = read(made / "figures.json")["restless"]["gate"]
    (made / "runs" / "restless-defaults-2.json").unlink()
    bench(made)
    assert [reached(file) for file in sorted((made / "runs").iterdir())] == first
    assert read(made / "figures.json")["restless"]["gate"]["interval_95"] == figures["interval_95"]


def reached(file: Path) -> dict[str, Any]:
    """Return a run without its student's calls: how many are under way when an evaluation is given up is a race."""
    return {key: value for key, value in read(file).items() if key != "student_calls"}


@pytest.mark.parametrize("where", [*SETTINGS, *(at(one, value) for one in SWEEPS.values() for value in one.values)])
def test_the_shares_of_the_kinds_of_task_make_a_whole(where: str) -> None:
    assert sum(setting(where).given.shares.values()) == pytest.approx(1)


@pytest.mark.parametrize("name", SWEEPS)
def test_a_sweep_varies_one_value_and_meets_the_world_as_it_is(name: str) -> None:
    sweep = SWEEPS[name]
    places = [at(sweep, value) for value in sweep.values]
    assert [varied(setting(where), sweep.varied) for where in places] == list(sweep.values)
    assert sweep.setting in places


@pytest.mark.parametrize(
    "variant", ["defaults", "rewrite", "full_rewrite", "skill_aware", "deep_reflect", "meta_reflect"]
)
def test_every_kind_of_run_learns_something_in_the_steady_world(variant: str, tmp_path: Path) -> None:
    reached_there = outcome("steady", variant, 1, tmp_path)
    assert reached_there.expected > reached_there.start + 0.1


def test_a_harmful_rule_that_is_to_be_ignored_does_no_harm() -> None:
    truth = Truth(1, SETTINGS["steady"].given)
    bare, trapped = "- RULE amber.", "- RULE amber.\n- TRAP amber 0."
    assert truth.expected(trapped) < truth.expected(bare)
    assert truth.expected(f"{trapped}\n- IGNORE TRAP amber 0.") == truth.expected(bare)


def test_a_steady_student_mostly_does_again_what_it_did() -> None:
    tasks = [f"task {number} of kind amber" for number in range(1000, 1200)]
    agreed = {}
    for where in ("restless", "steady"):
        student = Obedient(Truth(1, SETTINGS[where].given))
        said = [[student(asking(task, repeat)) for task in tasks] for repeat in (0, 1)]
        agreed[where] = sum(one == other for one, other in zip(*said, strict=True)) / len(tasks)
    assert agreed["restless"] < 0.8 < agreed["steady"]


def asking(task: str, repeat: int) -> ChatRequest:
    return ChatRequest(messages=(Message(role="user", content=task),), repeat=repeat)

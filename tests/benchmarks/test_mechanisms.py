"""The benchmark of mechanisms runs, gives the same again, and its true scores are those the student shows."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from workspace import ROOT

SCRIPT = ROOT / "benchmarks" / "mechanisms" / "run.py"
PAGE = "before\n<!-- mechanisms -->\nold\n<!-- /mechanisms -->\nafter\n"


def bench(folder: Path) -> None:
    """Compare two seeds with and without the gate; runs, figures and a page go into *folder*."""
    (folder / "page.md").write_text(PAGE, encoding="utf-8")
    files = {"--out": "runs", "--table": "page.md", "--json": "figures.json"}
    places = [word for option, name in files.items() for word in (option, str(folder / name))]
    command = [sys.executable, str(SCRIPT), "--only", "gate", "--seeds", "2", *places]
    subprocess.run(command, check=True, capture_output=True)


def read(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mechanisms")
    bench(folder)
    return folder


def test_a_gate_keeps_out_what_does_harm_in_this_world(made: Path) -> None:
    gate: Mapping[str, Any] = read(made / "figures.json")["gate"]
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
    assert page.startswith("before\n<!-- mechanisms -->\n| mechanism |")
    assert page.endswith("|\n<!-- /mechanisms -->\nafter\n")
    assert "old" not in page


def test_a_run_that_is_made_again_comes_to_the_same(made: Path) -> None:
    first = [reached(file) for file in sorted((made / "runs").iterdir())]
    figures = read(made / "figures.json")["gate"]
    (made / "runs" / "defaults-2.json").unlink()
    bench(made)
    assert [reached(file) for file in sorted((made / "runs").iterdir())] == first
    assert read(made / "figures.json")["gate"]["interval_95"] == figures["interval_95"]


def reached(file: Path) -> dict[str, Any]:
    """Return a run without its student's calls: how many are under way when an evaluation is given up is a race."""
    return {key: value for key, value in read(file).items() if key != "student_calls"}

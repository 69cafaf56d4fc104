"""`reflact status`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

DESKS = Path(__file__).parent / "plugins" / "desks.py"
Reflact = Callable[..., Any]


def test_the_status_of_a_finished_run_has_scores_counts_and_spending(train: Reflact, reflact: Reflact) -> None:
    train()
    found = json.loads(reflact("status", "run", "--json").out)
    assert (found["phase"], found["step"], found["total_steps"], found["epoch"]) == ("finished", 4, 4, 2)
    assert (found["baseline_score"], found["current_score"], found["best_score"]) == (0.0, 1.0, 1.0)
    assert (found["accepted"], found["rejected"], found["skipped"]) == (4, 0, 0)
    assert found["spent"]["teacher"]["usage"]["calls"] > 0
    assert found["under_way"] is None
    assert found["next"].startswith("reflact eval run/run_config.json --skill run/best_skill.md")


def test_a_run_killed_between_two_writes_is_stopped_and_to_be_resumed(train: Reflact, reflact: Reflact) -> None:
    train()
    Path("run/summary.json").unlink()
    ran = reflact("status", "run")
    assert "run: desks, stopped; step 4 of 4" in ran.out
    assert ran.out.endswith("next: reflact resume run\n")


def test_a_run_that_failed_shows_its_last_trouble(train: Reflact, reflact: Reflact) -> None:
    train("model.student_backend=locked_clerk", "--no-preflight")
    found = json.loads(reflact("status", "run", "--json").out)
    assert (found["phase"], found["best_score"]) == ("stopped", None)
    assert "auth" in found["last_error"]
    assert found["spent"]["student"]["failed"] > 0


def test_looking_changes_nothing(train: Reflact, reflact: Reflact) -> None:
    train("train.num_epochs=1")
    before = {file: file.read_bytes() for file in Path("run").rglob("*") if file.is_file()}
    reflact("status", "run")
    assert before == {file: file.read_bytes() for file in Path("run").rglob("*") if file.is_file()}


def test_a_folder_without_a_run_is_told(reflact: Reflact) -> None:
    ran = reflact("status", "nowhere")
    assert (ran.code, "nowhere holds no run" in ran.err) == (5, True)
    assert not Path("nowhere").exists()


def test_status_needs_no_plugin_of_the_run(train: Reflact, reflact: Reflact) -> None:
    train("train.num_epochs=1")
    assert str(DESKS) not in reflact("status", "run").out

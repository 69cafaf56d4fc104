"""A run that is stopped loses nothing: Ctrl-C in a process of its own, then `reflact resume`."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

DESKS = Path(__file__).parent / "plugins" / "desks.py"
Reflact = Callable[..., Any]


RESULTS = ("best_skill.md", "history.json", "summary.json")


@pytest.fixture
def started(reflact: Reflact) -> Iterator[list[subprocess.Popen[str]]]:
    """Processes that are ended with the test."""
    processes: list[subprocess.Popen[str]] = []
    yield processes
    for process in processes:
        process.kill()
        process.wait()


def start(started: list[subprocess.Popen[str]], clerk: str) -> subprocess.Popen[str]:
    words = ["train", "desks.yaml", "--no-preflight", "--plugin", str(DESKS), "--out", "run"]
    words.append(f"model.student_backend={clerk}")
    process = subprocess.Popen(
        [sys.executable, "-m", "reflact_cli", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    started.append(process)
    return process


def wait_for(file: Path) -> None:
    deadline = time.monotonic() + 60
    while not (file.is_file() and file.stat().st_size):
        assert time.monotonic() < deadline, f"{file} never came"
        time.sleep(0.05)


def test_ctrl_c_stops_with_130_and_a_resumed_run_ends_as_if_nothing_had_been(
    started: list[subprocess.Popen[str]], reflact: Reflact
) -> None:
    process = start(started, "slow_clerk")
    wait_for(Path("run/steps/step_0001/rollout/results.jsonl"))
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert f"stopped; nothing is lost. Go on with: reflact resume run --plugin {DESKS}" in err
    assert "Traceback" not in err
    assert not Path("run/summary.json").exists()
    assert reflact("resume", "run", "--plugin", DESKS).code == 0
    whole = reflact("train", "desks.yaml", "--plugin", DESKS, "--out", "whole", "model.student_backend=slow_clerk")
    assert whole.code == 0
    for name in RESULTS:
        assert Path("run", name).read_bytes() == Path("whole", name).read_bytes()


def test_a_killed_run_shows_what_it_has_spent(started: list[subprocess.Popen[str]], reflact: Reflact) -> None:
    process = start(started, "slow_clerk")
    wait_for(Path("run/steps/step_0001/rollout/results.jsonl"))
    process.kill()
    process.communicate(timeout=60)
    shown = json.loads(reflact("status", "run", "--json").out)
    on_record = len(Path("run/calls.jsonl").read_text().splitlines())
    at_the_baseline = json.loads(Path("run/usage.json").read_text())["spent"]
    assert (shown["phase"], shown["spent"]["student"]["usage"]["calls"]) == ("stopped", on_record)
    assert at_the_baseline["student"]["usage"]["calls"] == 8 < on_record
    assert re.search(rf"^  student \S+ +{on_record} ", reflact("status", "run").out, re.M)


def test_a_second_ctrl_c_does_not_wait_for_the_calls_under_way(started: list[subprocess.Popen[str]]) -> None:
    process = start(started, "stuck_clerk")
    wait_for(Path("run/run_manifest.json"))
    time.sleep(1)
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, time.monotonic() - began < 3) == (130, True)
    assert "press Ctrl-C again to stop at once" in err
    assert "nothing is lost" in err


def test_a_running_run_can_be_looked_at(started: list[subprocess.Popen[str]], reflact: Reflact) -> None:
    start(started, "stuck_clerk")
    wait_for(Path("run/selection_eval_baseline/rollout_meta.json"))
    ran = reflact("status", "run")
    assert ran.code == 0
    assert "run: desks, running; step 0 of 4, epoch 0 of 2" in ran.out
    assert "under way: selection_eval_baseline, 0 results" in ran.out


def test_resume_refuses_data_that_have_changed_since(train: Reflact, reflact: Reflact) -> None:
    train("train.num_epochs=1")
    Path("moved.py").write_text(DESKS.read_text().replace('"desk": n + ', '"desk": n + 1 + '))
    ran = reflact("resume", "run", "--plugin", "moved.py")
    assert ran.code == 5
    assert "the train data have changed; the val data have changed; the test data have changed" in ran.err


def test_resume_refuses_a_setting_that_changes_the_result_and_takes_one_that_does_not(
    train: Reflact, reflact: Reflact
) -> None:
    train("train.num_epochs=1")
    refused = reflact("resume", "run", "train.seed=7", "--plugin", DESKS)
    assert (refused.code, "train.seed was 42, now 7" in refused.err) == (5, True)
    assert reflact("resume", "run", "env.workers=1", "--plugin", DESKS).code == 0


def test_resume_of_a_folder_without_a_run_says_so(reflact: Reflact) -> None:
    Path("empty").mkdir()
    ran = reflact("resume", "empty")
    assert (ran.code, "empty holds no run to resume" in ran.err) == (5, True)
    assert list(Path("empty").iterdir()) == []

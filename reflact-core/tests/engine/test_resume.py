"""A run that is killed at any write and started again ends as if nothing had happened."""

import subprocess
import sys
from pathlib import Path

import pytest
from killing import SHAPES, run
from world import artifacts

PROGRAM = Path(__file__).with_name("killing.py")


def kills(shape: str, events: str, stride: int, folder: Path) -> int:
    """Return at how many writes, or every *stride*-th of them, a run was killed and ended right nevertheless."""
    made = subprocess.run(
        [sys.executable, str(PROGRAM), shape, events, str(stride), str(folder)], capture_output=True, text=True
    )
    assert made.returncode == 0, made.stderr
    return int(made.stdout)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_run_killed_before_some_write_and_resumed_is_byte_identical(shape: str, tmp_path: Path) -> None:
    assert kills(shape, "writes", 131 if "everything at once" in shape else 41, tmp_path) > 60


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_a_run_killed_before_each_artifact_in_turn_is_byte_identical(shape: str, tmp_path: Path) -> None:
    assert kills(shape, "artifacts", 1, tmp_path) > 40


def test_two_runs_of_one_configuration_are_byte_identical(tmp_path: Path) -> None:
    shape = "two epochs, accumulation, several candidates"
    run(tmp_path / "a", shape)
    run(tmp_path / "b", shape)
    assert artifacts(tmp_path / "a") == artifacts(tmp_path / "b")


def test_a_finished_run_started_again_makes_no_call(tmp_path: Path) -> None:
    run(tmp_path / "out", "one candidate")
    before = (tmp_path / "out" / "calls.jsonl").read_bytes()
    run(tmp_path / "out", "one candidate")
    assert (tmp_path / "out" / "calls.jsonl").read_bytes() == before

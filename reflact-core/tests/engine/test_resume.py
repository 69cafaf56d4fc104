"""A run that is killed at any write and started again ends as if nothing had happened."""

from pathlib import Path

import pytest
from killed import kills
from killing import SHAPES, run
from thorough import AT_ONCE
from world import artifacts


@pytest.mark.parametrize("shape", SHAPES)
def test_a_run_killed_before_some_write_and_resumed_is_byte_identical(shape: str, tmp_path: Path) -> None:
    assert kills(shape, "writes", 131 if shape == AT_ONCE else 41, tmp_path) > 60


@pytest.mark.slow
@pytest.mark.parametrize("shape", [one for one in SHAPES if one != AT_ONCE])
def test_a_run_killed_before_every_second_artifact_is_byte_identical(shape: str, tmp_path: Path) -> None:
    assert kills(shape, "artifacts", 2, tmp_path) > 40


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

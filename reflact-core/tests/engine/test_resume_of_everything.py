"""A run with every mechanism switched on that is killed at any artifact ends as if nothing had happened."""

from pathlib import Path

import pytest
from killed import kills
from thorough import AT_ONCE


@pytest.mark.slow
def test_a_run_killed_before_each_artifact_in_turn_is_byte_identical(tmp_path: Path) -> None:
    assert kills(AT_ONCE, "artifacts", 1, tmp_path) > 100

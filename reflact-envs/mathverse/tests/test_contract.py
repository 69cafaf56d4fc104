"""mathverse keeps what every env promises, in several versions of its problems and with every way to use the judge."""

from pathlib import Path
from typing import Any, ClassVar

import pytest
from reflact.testing import EnvContract


class TestMathVerse(EnvContract):
    name = "mathverse"


class OnTheSample(EnvContract):
    """The same on data that were written once, with settings of its own."""

    name = "mathverse"
    chosen: ClassVar[dict[str, Any]] = {}

    @pytest.fixture(autouse=True)
    def _on_the_sample(self, sample: Path) -> None:
        self.sample = sample

    def settings(self, folder: Path) -> dict[str, Any]:
        return {"split_ratio": "1:1:1", "data_path": str(self.sample), **self.chosen}


class TestAllVersions(OnTheSample):
    chosen: ClassVar[dict[str, Any]] = {"problem_version": ""}


class TestVisionOnly(OnTheSample):
    chosen: ClassVar[dict[str, Any]] = {"problem_version": "Vision Only"}


class TestTextOnly(OnTheSample):
    chosen: ClassVar[dict[str, Any]] = {"problem_version": "Text Only"}


class TestAlwaysJudged(OnTheSample):
    chosen: ClassVar[dict[str, Any]] = {"judge_mode": "always"}


class TestNeverJudged(OnTheSample):
    chosen: ClassVar[dict[str, Any]] = {"judge_mode": "never", "question_type": "multi-choice"}

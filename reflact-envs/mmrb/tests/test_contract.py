"""mmrb keeps what every env promises, whichever way the judge is used."""

from pathlib import Path
from typing import Any

import pytest
from reflact.testing import EnvContract

pytestmark = pytest.mark.filterwarnings("ignore:.*items are left out:RuntimeWarning")


class TestMMRB(EnvContract):
    name = "mmrb"
    tasks_per_split = 8


class TestAlwaysJudged(EnvContract):
    name = "mmrb"

    def settings(self, folder: Path) -> dict[str, Any]:
        return {**super().settings(folder), "judge_mode": "always"}

"""alfworld keeps what every env promises, over games of pure Python; the real ones: test_real_games.py."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from reflact import ConfigError, Plugins
from reflact.config import resolve
from reflact.contracts import EnvSpec
from reflact.testing import EnvContract
from reflact_env_alfworld.env import Alfworld


class TestAlfworld(EnvContract):
    name = "alfworld"

    @pytest.fixture(autouse=True)
    def _over_tales(self, root: Path, tales: Any) -> None:
        self.root, self.tales = root, tales

    def settings(self, folder: Path) -> dict[str, Any]:
        return {"data_root": str(self.root), "max_steps": 6}

    def spec(self) -> EnvSpec:
        return replace(super().spec(), build=lambda config: Alfworld(config, self.tales))


def test_an_agent_cannot_be_the_student(root: Path) -> None:
    plugins = Plugins()
    if "codex_exec" not in plugins.names("backends"):
        pytest.skip("codex_exec is not installed")
    raw = {
        "model": {"student_backend": "codex_exec", "teacher_backend": "codex_exec"},
        "env": {"name": "alfworld", "data_root": str(root)},
    }
    with pytest.raises(ConfigError, match=r"alfworld.*(chat|exec|agent)"):
        resolve(raw, plugins=plugins)

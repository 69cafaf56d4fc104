"""The `gymnasium.Env` of one game, played in a process of its own."""

import string
from pathlib import Path
from typing import Any

import gymnasium

from reflact_env_alfworld.game import View
from reflact_env_alfworld.games.process import GameProcess

LONGEST = 20_000
"""Characters of the longest text; rooms of the real games have a few hundred."""


class Household(gymnasium.Env):  # type: ignore[misc]
    """One game: `reset` begins it anew, `step` takes a command. Deterministic, so that a seed changes nothing."""

    def __init__(self, gamefile: Path, *, max_steps: int, python: str) -> None:
        self.observation_space = gymnasium.spaces.Text(LONGEST, charset=string.printable)
        self.action_space = gymnasium.spaces.Text(LONGEST, charset=string.printable)
        self._gamefile = gamefile
        self._max_steps = max_steps
        self._process = GameProcess(python, data_root=gamefile.parent)
        self._steps = 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Begin the game, and return the first observation and its info."""
        super().reset(seed=seed)
        self._steps = 0
        view = self._process.load(self._gamefile)
        return view.text, _info(view)

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Do *action*, and return observation, reward, terminated, truncated and info. Raises `GameFault`."""
        view = self._process.step(action)
        self._steps += 1
        return view.text, float(view.won), view.over, not view.over and self._steps >= self._max_steps, _info(view)

    def close(self) -> None:
        """End the process."""
        self._process.close()


def _info(view: View) -> dict[str, Any]:
    return {"admissible_commands": list(view.commands), "won": view.won}

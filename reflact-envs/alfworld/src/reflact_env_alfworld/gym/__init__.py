"""A game as a `gymnasium.Env`, for programs that expect one; the env `alfworld` itself does not need it."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from reflact import DataError

from reflact_env_alfworld.games.installed import require_games

if TYPE_CHECKING:
    from reflact_env_alfworld.gym.household import Household


def make(gamefile: str | Path, *, max_steps: int = 50, python: str = "") -> Household:
    """Return the game in *gamefile* as a `gymnasium.Env`: texts in, texts out, a reward of 1 when it is won.

    `info` tells `admissible_commands` and `won`. *python* is the program that plays it, where TextWorld is installed
    elsewhere. Raises `DataError` when gymnasium, TextWorld or the game is missing.
    """
    if find_spec("gymnasium") is None:
        raise DataError('needs the library gymnasium: pip install "reflact-env-alfworld[gym]"')
    require_games(python)
    file = Path(gamefile)
    if not file.is_file():
        raise DataError(f"{file}: no such game file")
    from reflact_env_alfworld.gym.household import Household

    return Household(file, max_steps=max_steps, python=python)

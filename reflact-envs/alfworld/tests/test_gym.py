"""A game as a `gymnasium.Env`."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest
from reflact import DataError
from reflact_env_alfworld.games.installed import PIP, missing_games
from reflact_env_alfworld.gym import make
from reflact_env_alfworld.sample import write_sample

absent = [*missing_games(), *([] if find_spec("gymnasium") else ["gymnasium"])]
needs_games = pytest.mark.skipif(bool(absent), reason=f"not installed: {', '.join(absent)}; {PIP}")


@pytest.mark.skipif(find_spec("gymnasium") is not None, reason="gymnasium is installed")
def test_without_gymnasium_it_says_what_to_install() -> None:
    with pytest.raises(DataError, match=r'pip install "reflact-env-alfworld\[gym\]"'):
        make("x")


@pytest.mark.skipif(not missing_games(), reason="TextWorld is installed")
def test_without_textworld_sample_data_say_what_to_install(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r'pip install "reflact-env-alfworld\[games\]"'):
        write_sample(tmp_path, 1, 1)


@pytest.mark.slow
@needs_games
def test_the_walkthrough_is_rewarded_once_and_a_limit_truncates(tmp_path: Path) -> None:
    import gymnasium

    write_sample(tmp_path, 1, 3)
    (file,) = tmp_path.rglob("game.tw-pddl")
    walkthrough = json.loads(file.read_text(encoding="utf-8"))["walkthrough"]
    game = make(file, max_steps=len(walkthrough))
    try:
        assert isinstance(game, gymnasium.Env)
        observation, info = game.reset(seed=1)
        assert "Your task is to: put a" in observation
        assert observation in game.observation_space
        assert {"look", "inventory"} < set(info["admissible_commands"])
        taken = [game.step(command) for command in walkthrough]
        assert [reward for _, reward, *_ in taken] == [0.0] * (len(walkthrough) - 1) + [1.0]
        assert [(done, cut) for *_, done, cut, _ in taken][-1] == (True, False)
        assert taken[-1][-1]["won"] is True
        assert game.reset()[0] == observation
        looked = [game.step("look") for _ in walkthrough]
        assert [(done, cut) for *_, done, cut, _ in looked][-1] == (False, True)
    finally:
        game.close()


@needs_games
def test_a_game_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"nothing\.tw-pddl: no such game file"):
        make(tmp_path / "nothing.tw-pddl")

"""From folders and lists of games to tasks."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from reflact import DataError
from reflact.data.splits import generated_under
from reflact_env_alfworld.config import AlfworldConfig
from reflact_env_alfworld.data import INDEX, load_games, to_task

Build = Callable[..., Any]
GAME = "json_2.1.1/train/pick_and_place_simple-Mug-None-Shelf-0/trial_T0/game.tw-pddl"


def names(env: Any, split: str) -> list[str]:
    return [task.data["gamefile"].split("/")[1] for task in env.tasks(split)]


def test_the_native_splits_are_train_valid_seen_and_valid_unseen(build: Build) -> None:
    env = build()
    assert (names(env, "train"), names(env, "val")) == (["train"] * 4, ["valid_seen"] * 2)
    assert names(env, "test") == ["valid_unseen"] * 2
    task = env.tasks("train")[0]
    assert (task.id, task.kind) == ("train:pick_and_place_simple-Mug-None-Shelf-0:trial_T0", "pick_and_place_simple")
    assert task.data == {"gamefile": GAME}


def test_games_that_cannot_be_played_are_left_out(root: Path, write: Build, build: Build) -> None:
    write(root, "train", 7, solvable=False)
    for name in (
        "pick_and_place_with_movable_recep-Mug-Plate-Shelf-8",
        "pick_and_place_simple-AppleSliced-None-Shelf-9",
    ):
        folder = write(root, "train", 8).parent.parent
        folder.rename(folder.with_name(name))
    assert len(build().tasks("train")) == 4


def test_train_is_sampled_by_the_seed_and_every_split_can_be_cut(build: Build) -> None:
    two = [task.id for task in build(train_size=2).tasks("train")]
    assert two == [task.id for task in build(train_size=2).tasks("train")] == sorted(two)
    assert {tuple(task.id for task in build(train_size=2, split_seed=n).tasks("train")) for n in range(9)} > {
        tuple(two)
    }
    assert [len(build(limit=1).tasks(split)) for split in ("train", "val", "test")] == [1, 1, 1]


def test_a_run_keeps_the_index_and_does_not_walk_the_games_again(root: Path, tmp_path: Path, write: Build) -> None:
    """[BUG 4] Nor does any process of the pool."""
    config = generated_under(AlfworldConfig(data_root=str(root)), out_root=tmp_path / "run", env="alfworld")
    before = load_games(config, root)
    write(root, "train", 9)
    assert load_games(config, root) == before
    index = json.loads((Path(config.split_output_dir) / INDEX).read_text(encoding="utf-8"))
    assert len(index["train"]) == 4
    assert len(load_games(AlfworldConfig(data_root=str(root)), root)["train"]) == 5


def test_a_ratio_cuts_a_folder_of_games(root: Path, build: Build) -> None:
    """[BUG 1] Also one native split alone."""
    env = build(data_path=str(root / "json_2.1.1" / "train"), split_ratio="2:1:1")
    assert [len(env.tasks(split)) for split in ("train", "val", "test")] == [2, 1, 1]
    assert set(names(env, "train")) == {"train"}
    everything = build(data_root="", data_path=str(root), split_ratio="2:1:1")
    assert sum(len(everything.tasks(split)) for split in ("train", "val", "test")) == 8


def test_a_ratio_cuts_a_list_of_games(root: Path, tmp_path: Path, build: Build) -> None:
    """[BUG 1]"""
    games = [{"id": f"g{n}", "gamefile": GAME.replace("Shelf-0/trial_T0", f"Shelf-{n}/trial_T{n}")} for n in (0, 2)]
    games.append({"id": "g9", "gamefile": str(root / GAME.replace("train", "valid_seen"))})
    (tmp_path / "games.json").write_text(json.dumps(games), encoding="utf-8")
    env = build(data_path=str(tmp_path / "games.json"), split_ratio="1:1:1")
    tasks = [task for split in ("train", "val", "test") for task in env.tasks(split)]
    assert sorted(task.id for task in tasks) == ["g0", "g2", "g9"]
    assert not [task for task in tasks if task.data["gamefile"].startswith("/")]


def test_prepared_lists_name_games_of_any_native_split(root: Path, tmp_path: Path, build: Build) -> None:
    for split, part in (("train", "train"), ("val", "train"), ("test", "valid_unseen")):
        number = 2 if split == "val" else 0
        item = {
            "id": split,
            "gamefile": GAME.replace("train", part).replace("-0/trial_T0", f"-{number}/trial_T{number}"),
        }
        (tmp_path / "split" / split).mkdir(parents=True)
        (tmp_path / "split" / split / "items.json").write_text(json.dumps([item]), encoding="utf-8")
    env = build(split_dir=str(tmp_path / "split"))
    assert [env.tasks(split)[0].id for split in ("train", "val", "test")] == ["train", "val", "test"]


def test_listed_games_that_are_not_there_are_counted_and_three_named(root: Path, tmp_path: Path, build: Build) -> None:
    games = [{"id": f"g{n}", "gamefile": f"json_2.1.1/train/x/t{n}/game.tw-pddl"} for n in range(5)]
    (tmp_path / "games.json").write_text(json.dumps(games), encoding="utf-8")
    with pytest.raises(DataError, match=r"not below env.data_root .*(, .*){2} … \(5 games\); is it the right folder\?"):
        build(data_path=str(tmp_path / "games.json"))


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ({"id": "a"}, "no gamefile"),
        ({"gamefile": " "}, "no gamefile"),
        ({"gamefile": "json_2.1.1/../../x/game.tw-pddl"}, "leads out of env.data_root"),
        ({"gamefile": "/elsewhere/game.tw-pddl"}, "is not below env.data_root"),
    ],
)
def test_a_record_that_names_no_game_below_the_root_is_refused(raw: dict[str, Any], message: str, root: Path) -> None:
    with pytest.raises(DataError, match=message):
        to_task(raw, root=root)


def test_a_root_that_is_not_there_says_which_and_how_to_get_games(tmp_path: Path, tales: Any) -> None:
    from reflact_env_alfworld.env import Alfworld

    for path, message in ((tmp_path / "no", "no such folder"), (tmp_path, "there are no native splits")):
        with pytest.raises(DataError, match=message) as caught:
            Alfworld(AlfworldConfig(data_root=str(path)), tales)
        assert "alfworld-download" in str(caught.value)
        assert "sample-data alfworld" in str(caught.value)


def test_without_a_root_the_variable_is_named(monkeypatch: pytest.MonkeyPatch, root: Path, tales: Any) -> None:
    from reflact_env_alfworld.env import Alfworld

    monkeypatch.delenv("ALFWORLD_DATA", raising=False)
    with pytest.raises(DataError, match=r"env.data_root is empty and \$ALFWORLD_DATA is not set"):
        Alfworld(AlfworldConfig(), tales)
    monkeypatch.setenv("ALFWORLD_DATA", os.fspath(root))
    assert len(Alfworld(AlfworldConfig(), tales).tasks("train")) == 4


@pytest.mark.parametrize(
    ("given", "mode"),
    [({}, "native"), ({"split_dir": "x"}, "split_dir"), ({"data_path": "x"}, "ratio")],
)
def test_the_mode_follows_from_what_is_given(given: dict[str, Any], mode: str) -> None:
    assert AlfworldConfig(**given).split_mode == mode


def test_the_defaults_are_those_that_were_promised() -> None:
    config = AlfworldConfig()
    assert (config.max_steps, config.history_length, config.skill_position) == (50, 2, "system")
    assert (config.max_completion_tokens, config.action_timeout, config.episode_timeout) == (16384, 180, 3600)
    with pytest.raises(ValidationError, match="max_step"):
        AlfworldConfig(**{"max_step": 1})

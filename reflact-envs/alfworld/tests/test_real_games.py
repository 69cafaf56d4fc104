"""Real games: made here, played by TextWorld."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from reflact import EnvSpec, Plugins, Rollout, Skill, Task
from reflact.kit.check import check_env
from reflact.kit.scripted import EchoStudent
from reflact.testing import EnvContract
from reflact_env_alfworld.config import AlfworldConfig
from reflact_env_alfworld.env import Alfworld
from reflact_env_alfworld.game import GameFault
from reflact_env_alfworld.games.installed import PIP, missing_games
from reflact_env_alfworld.games.process import GameProcess
from reflact_env_alfworld.kinds import TASK_TYPES
from reflact_env_alfworld.sample import write_sample

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(missing_games()), reason=f"TextWorld is not installed: {PIP}"),
]
N = 18


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("games") / "data"
    write_sample(folder, N, 1)
    return folder


@pytest.fixture(scope="module")
def env(data: Path) -> Any:
    made = Alfworld(AlfworldConfig(data_root=str(data), max_steps=15))
    yield made
    made.close()


@pytest.fixture(scope="module")
def tasks(env: Alfworld) -> list[Task]:
    return [task for split in ("train", "val", "test") for task in env.tasks(cast(Any, split))]


def played(env: Alfworld, tasks: list[Task], student: Callable[[Task], EchoStudent]) -> list[Rollout]:
    return list(env.run_many(tasks, skill=Skill(""), student=student, workdir=lambda _: Path("unused"), workers=2))


def test_every_kind_of_task_is_in_every_split(env: Alfworld, tasks: list[Task]) -> None:
    for split in ("train", "val", "test"):
        assert Counter(task.kind for task in env.tasks(cast(Any, split))) == dict.fromkeys(TASK_TYPES, 1)
    assert len({task.id for task in tasks}) == N


def test_the_walkthrough_wins_every_game_and_says_nothing_before_the_end(env: Alfworld, tasks: list[Task]) -> None:
    rollouts = played(env, tasks, lambda task: EchoStudent(env.player(task)))
    assert {one.task_id: (one.hard, one.error) for one in rollouts} == {task.id: (1.0, None) for task in tasks}
    for one in rollouts:
        assert one.extra["n_invalid"] == one.extra["n_missing"] == 0
        assert [entry["done"] for entry in one.trace[:-1]] == [False] * (one.extra["n_steps"] - 1) + [True]
    assert len({one.extra["task_description"] for one in rollouts}) == N


def test_a_student_that_only_looks_wins_nothing(env: Alfworld, tasks: list[Task]) -> None:
    rollouts = played(env, tasks[:4], lambda _: EchoStudent("<action>look</action>"))
    assert {(one.hard, one.outcome, one.extra["stopped_by"]) for one in rollouts} == {(0.0, "ok", "steps")}
    assert all("You are in the middle of a room." in one.trace[-1]["content"] for one in rollouts)


def test_a_wanderer_wins_next_to_nothing(env: Alfworld, tasks: list[Task]) -> None:
    def wander(task: Task) -> EchoStudent:
        dice = Random(task.id)

        def reply(prompt: str) -> str:
            commands = [line[2:] for line in prompt.splitlines() if line.startswith("- ")]
            return f"<action>{dice.choice(commands)}</action>"

        return EchoStudent(reply)

    rollouts = played(env, tasks[:6], wander)
    assert sum(one.hard for one in rollouts) <= 1
    assert {one.extra["n_invalid"] for one in rollouts} == {0}


def test_what_cannot_be_done_changes_nothing(env: Alfworld, tasks: list[Task]) -> None:
    (rollout,) = played(env, tasks[:1], lambda _: EchoStudent("<action>Put the Moon on the desk</action>"))
    assert {entry["output"] for entry in rollout.trace[:-1]} == {"Nothing happens."}
    assert rollout.extra["n_invalid"] == rollout.extra["n_steps"] == 15


def test_no_expert_of_the_library_takes_part(data: Path, tasks: list[Task]) -> None:
    """[BUG 6] A game of train is played like one of test: nothing of its own can end it before it is won."""
    process = GameProcess(data_root=data)
    try:
        for task in (tasks[0], tasks[-1]):
            view = process.load(data / str(task.data["gamefile"]))
            for _ in range(60):
                view = process.step("look")
            assert not view.over
    finally:
        process.close()


def test_a_killed_process_costs_its_game_and_the_next_one_is_played(
    env: Alfworld, data: Path, tasks: list[Task]
) -> None:
    process = GameProcess(data_root=data)
    process.load(data / str(tasks[0].data["gamefile"]))
    os.kill(process.pid, signal.SIGABRT)
    with pytest.raises(GameFault, match="ended by signal 6"):
        process.step("look")
    process.close()
    (rollout,) = played(env, tasks[:1], lambda task: EchoStudent(env.player(task)))
    assert rollout.hard == 1.0


def test_a_broken_game_file_is_its_own_tasks_trouble(
    data: Path, tmp_path: Path, env: Alfworld, tasks: list[Task]
) -> None:
    good = data / str(tasks[0].data["gamefile"])
    broken = {**json.loads(good.read_text(encoding="utf-8")), "pddl_problem": "(define (problem"}
    for part, content in (("train", broken), ("valid_seen", broken), ("valid_unseen", broken)):
        folder = tmp_path / "json_2.1.1" / part / "pick_and_place_simple-Mug-None-Shelf-1" / f"trial_{part}"
        folder.mkdir(parents=True)
        (folder / "game.tw-pddl").write_text(json.dumps(content), encoding="utf-8")
    other = Alfworld(AlfworldConfig(data_root=str(tmp_path)))
    rollouts = played(other, list(other.tasks("train")), lambda _: EchoStudent("<action>look</action>"))
    assert [(one.scored, one.outcome) for one in rollouts] == [(False, "infra_error")]
    assert "the game's process ended with exit code 1" in str(rollouts[0].error)


def test_a_process_leaves_nothing_in_the_home_folder_and_ends_with_its_owner(data: Path, tmp_path: Path) -> None:
    script = (
        "import time; from pathlib import Path; from reflact_env_alfworld.games.process import GameProcess\n"
        f"p = GameProcess(data_root=Path({str(data)!r})); p.ask(dict(do='texts'))\n"
        "print(p.pid, flush=True); time.sleep(60)"
    )
    home = {**os.environ, "HOME": str(tmp_path)}
    owner = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, env=home)
    assert owner.stdout is not None
    pid = int(owner.stdout.readline())
    owner.kill()
    owner.wait()
    owner.stdout.close()
    until = time.monotonic() + 5
    while Path(f"/proc/{pid}").exists() and time.monotonic() < until:
        time.sleep(0.02)
    assert not Path(f"/proc/{pid}").exists()
    assert list(tmp_path.iterdir()) == []


def test_the_same_seed_makes_the_same_games(data: Path, tmp_path: Path) -> None:
    write_sample(tmp_path, 3, 1)
    made = {file.relative_to(tmp_path): file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    assert len(made) == 6
    assert all((data / name).read_bytes() == content for name, content in made.items())


def test_the_reference_wins_and_is_not_in_what_the_student_gets(env: Alfworld, tasks: list[Task]) -> None:
    student = EchoStudent("<action>look</action>")
    env.run(tasks[0], skill=Skill(""), student=student, workdir=Path("unused"))
    reference = env.reference(tasks[0])
    assert "Commands that win it:\n- go to " in reference
    assert not any(reference[-60:] in prompt for prompt in student.prompts)


class TestRealAlfworld(EnvContract):
    name = "alfworld"
    tasks_per_split = 1

    @pytest.fixture(autouse=True)
    def _over_games(self, data: Path) -> None:
        self.data = data

    def settings(self, folder: Path) -> dict[str, Any]:
        return {"data_root": str(self.data), "max_steps": 12}


def test_the_check_finds_nothing(data: Path, tmp_path: Path) -> None:
    spec = cast(EnvSpec, Plugins().get("envs", "alfworld"))
    env = spec.build(spec.config(split_mode="ratio", split_ratio="1:1:1", data_path=str(data), max_steps=12))
    assert check_env(env, spec, workdir=tmp_path, tasks_per_split=1) == []

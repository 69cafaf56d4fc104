"""Games side by side."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from reflact import BackendError, Skill
from reflact.kit.scripted import EchoStudent

PLAN = ("go to desk 1", "take mug 1 from desk 1", "go to shelf 1", "move mug 1 to shelf 1")
Build = Callable[..., Any]


def many(env: Any, tasks: Any, student: Any, workers: int) -> Any:
    return env.run_many(tasks, skill=Skill(""), student=student, workdir=lambda one: Path(one.id), workers=workers)


def player(env: Any) -> Callable[[Any], EchoStudent]:
    return lambda task: EchoStudent(env.player(task))


def test_as_many_games_as_there_are_workers_run_at_once(build: Build, tales: Any) -> None:
    env = build()
    tales.meet = Barrier(4)
    rollouts = list(many(env, env.tasks("train"), player(env), 4))
    assert sorted(one.task_id for one in rollouts) == sorted(task.id for task in env.tasks("train"))
    assert [one.hard for one in rollouts] == [1.0] * 4
    assert tales.returned == 4
    assert tales.closed == 0


def test_fewer_games_may_wait_for_the_model_than_are_played(build: Build) -> None:
    env = build(max_api_workers=1)
    asking, most = threading.Semaphore(0), []

    def student(task: Any) -> EchoStudent:
        right = env.player(task)

        def reply(prompt: str) -> str:
            asking.release()
            time.sleep(0.005)
            most.append(asking._value)
            asking.acquire()
            return str(right(prompt))

        return EchoStudent(reply)

    assert [one.hard for one in many(env, env.tasks("train"), student, 4)] == [1.0] * 4
    assert set(most) == {1}


def test_a_slow_game_holds_up_no_other(build: Build) -> None:
    """[BUG 4]"""
    env = build()
    slow, free = env.tasks("train")[0], threading.Event()

    def student(task: Any) -> EchoStudent:
        right = env.player(task)

        def reply(prompt: str) -> str:
            if task.id == slow.id:
                free.wait(20)
            return str(right(prompt))

        return EchoStudent(reply)

    played = many(env, env.tasks("train"), student, 2)
    assert [next(played).hard for _ in range(3)] == [1.0] * 3
    free.set()
    assert [one.task_id for one in played] == [slow.id]


def test_games_of_all_splits_can_be_played_in_one_batch(build: Build) -> None:
    """[BUG 7] What a game is follows from its own file, not from the first of the batch."""
    env = build()
    tasks = [env.tasks(split)[0] for split in ("test", "train", "val")]
    rollouts = list(many(env, tasks, player(env), 3))
    assert {one.extra["gamefile"] for one in rollouts} == {task.data["gamefile"] for task in tasks}
    assert [one.hard for one in rollouts] == [1.0] * 3


def test_a_crash_ends_its_own_task_only(build: Build, root: Path, write: Build) -> None:
    write(root, "train", 9, crash_at=2)
    env = build()
    rollouts = list(many(env, env.tasks("train"), player(env), 2))
    assert sorted(one.outcome for one in rollouts) == ["infra_error", "ok", "ok", "ok", "ok"]
    assert [one.task_id.endswith("T9") for one in rollouts if not one.scored] == [True]


def test_closing_early_ends_what_is_under_way(build: Build, tales: Any) -> None:
    env = build()
    played = many(env, env.tasks("train") * 5, player(env), 2)
    next(played)
    played.close()
    assert tales.closed == 1
    assert tales.returned == len(tales.lent) < 20
    before = threading.active_count()
    time.sleep(0.05)
    assert threading.active_count() <= before


def test_a_refused_key_stops_all(build: Build, tales: Any) -> None:
    def refuse(_: str) -> str:
        raise BackendError("bad key", fault="auth")

    env = build()
    with pytest.raises(BackendError, match="bad key"):
        list(many(env, env.tasks("train") * 5, lambda _: EchoStudent(refuse), 2))
    assert len(tales.lent) < 20
    assert tales.closed == 1

"""An env that runs its tasks side by side itself is held to the same promises as every other."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from reflact import BackendError, EnvSpec, Plugins, Rollout, Skill, Student, Summary, Task, hookimpl
from reflact.config import resolve
from reflact.engine.train import train
from reflact.errors import RunError
from reflact.testing.fakes import ScriptedModel, scripted_backend
from reflact.types import ChatRequest
from world import World, WorldConfig, insightful, obedient


class Arena(World):
    """The world, played in one go: the last task first."""

    def __init__(self, config: WorldConfig) -> None:
        super().__init__(config)
        self.asked: list[tuple[int, int]] = []

    def run_many(
        self,
        tasks: Sequence[Task],
        *,
        skill: Skill,
        student: Callable[[Task], Student],
        workdir: Callable[[Task], Path],
        workers: int,
    ) -> Iterator[Rollout]:
        self.asked.append((len(tasks), workers))
        for task in reversed(tasks):
            yield self.run(task, skill=skill, student=student(task), workdir=workdir(task))


def play(root: Path, arena: type[Arena], student: Any = obedient) -> tuple[Summary, Arena]:
    built: list[Arena] = []

    def build(config: WorldConfig) -> Arena:
        built.append(arena(config))
        return built[-1]

    class Plugin:
        @hookimpl
        def reflact_envs(self) -> list[EnvSpec]:
            return [EnvSpec(name="arena", config=WorldConfig, build=build)]

    plugins = Plugins()
    plugins.register(Plugin(), label="arena")
    plugins.register(scripted_backend("scripted_student", ScriptedModel(student)), label="student")
    plugins.register(scripted_backend("scripted_teacher", ScriptedModel(insightful)), label="teacher")
    resolved = resolve(
        {
            "model": {"student": {"backend": "scripted_student"}, "teacher": {"backend": "scripted_teacher"}},
            "train": {"num_epochs": 1, "batch_size": 8},
            "gradient": {"minibatch_size": 3},
            "optimizer": {"use_slow_update": False, "use_meta_skill": False},
            "env": {"name": "arena", "workers": 3},
        },
        plugins=plugins,
    )
    quiet = plugins.observers(disabled=frozenset(plugins.names("observers")))
    return train(resolved, plugins, root, observers=quiet), built[-1]


def rows(root: Path) -> list[dict[str, Any]]:
    file = root / "steps/step_0001/rollout/results.jsonl"
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def test_it_is_given_all_tasks_at_once_and_learns_like_any_other(tmp_path: Path) -> None:
    summary, arena = play(tmp_path, Arena)
    assert arena.asked[0] == (12, 3)
    assert (summary.values["baseline_test_hard"], summary.values["test_hard"] > 0) == (0.0, True)
    assert [row["trace"][-1]["role"] for row in rows(tmp_path)] == ["assistant"] * 8


def test_a_task_without_a_result_is_tried_again(tmp_path: Path) -> None:
    class Forgetful(Arena):
        def run_many(self, tasks: Sequence[Task], **more: Any) -> Iterator[Rollout]:
            yield from super().run_many(tasks[1:] if len(tasks) > 1 else tasks, **more)

    _, arena = play(tmp_path, Forgetful)
    assert [count for count, _ in arena.asked[:2]] == [11, 1]
    assert all(row["outcome"] == "ok" for row in rows(tmp_path))


def test_an_error_in_the_middle_costs_only_what_was_not_done(tmp_path: Path) -> None:
    class Fragile(Arena):
        def run_many(self, tasks: Sequence[Task], **more: Any) -> Iterator[Rollout]:
            for number, rollout in enumerate(super().run_many(tasks, **more)):
                if number == 2 and len(self.asked) == 1:
                    raise OSError("the arena burns")
                yield rollout

    _, arena = play(tmp_path, Fragile)
    assert [count for count, _ in arena.asked[:2]] == [12, 10]


def test_an_arena_that_never_works_ends_the_run_and_says_why(tmp_path: Path) -> None:
    class Burnt(Arena):
        def run_many(self, tasks: Sequence[Task], **more: Any) -> Iterator[Rollout]:
            raise OSError("the arena burns")

    with pytest.raises(RunError, match=r"OSError: the arena burns"):
        play(tmp_path, Burnt)


def test_a_result_for_a_stranger_is_not_taken(tmp_path: Path) -> None:
    class Confused(Arena):
        def run_many(self, tasks: Sequence[Task], **more: Any) -> Iterator[Rollout]:
            yield Rollout(task_id="nobody", hard=1.0, soft=1.0)

    with pytest.raises(RunError, match="'nobody', which is no rollout of a task it was given"):
        play(tmp_path, Confused)


def test_a_bad_key_ends_the_run_at_once_even_if_the_env_swallows_it(tmp_path: Path) -> None:
    class Deaf(Arena):
        def run(self, task: Task, *, skill: Skill, student: Student, workdir: Path) -> Rollout:
            try:
                return super().run(task, skill=skill, student=student, workdir=workdir)
            except BackendError:
                return Rollout(task_id=task.id, hard=0.0, soft=0.0)

    def locked_out(request: object) -> str:
        raise BackendError("401: no such key", fault="auth")

    with pytest.raises(BackendError, match="no such key"):
        play(tmp_path, Deaf, locked_out)


def test_a_comparison_that_is_given_up_closes_the_arena(tmp_path: Path) -> None:
    closed: list[int] = []

    class Closing(Arena):
        def run_many(self, tasks: Sequence[Task], **more: Any) -> Iterator[Rollout]:
            done = 0
            try:
                for rollout in super().run_many(tasks[::-1], **more):
                    done += 1
                    yield rollout
            finally:
                closed.append(len(tasks) - done)

    def misled(request: ChatRequest) -> str:
        number = re.findall(r"\d+", request.messages[-1].text)[0]
        return "no idea" if "RULE" in request.messages[0].text or int(number) % 2 else f"done {number}"

    play(tmp_path, Closing, misled)
    assert any(left > 0 for left in closed)


class Writing(Arena):
    """Keeps a note of each game in its folder."""

    def run(self, task: Task, *, skill: Skill, student: Student, workdir: Path) -> Rollout:
        workdir.mkdir(parents=True, exist_ok=True)
        (workdir / "game.txt").write_text(task.id, encoding="utf-8")
        return super().run(task, skill=skill, student=student, workdir=workdir)


def test_what_a_game_left_in_its_folder_is_there_when_it_is_over_also_after_a_restart(tmp_path: Path) -> None:
    rollout = tmp_path / "steps/step_0001/rollout"
    play(tmp_path, Writing)
    written = sorted(file.read_text() for file in rollout.glob("predictions/*/game.txt"))
    rows = [json.loads(line)["task_id"] for line in (rollout / "results.jsonl").read_text().splitlines()]
    assert written == sorted(rows)
    for done in ("results.jsonl", "rollout_meta.json"):
        (rollout / done).unlink()
    for later in ("runtime_state.json", "summary.json"):
        (tmp_path / later).unlink()
    play(tmp_path, Writing)
    assert sorted(file.read_text() for file in rollout.glob("predictions/*/game.txt")) == written

"""Processes that play games, with a program in the place of Python that crashes and hangs when it is told to."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from reflact import DataError, Skill
from reflact.kit.scripted import EchoStudent
from reflact.pool import Stop, Stopped, under
from reflact_env_alfworld.config import AlfworldConfig
from reflact_env_alfworld.env import Alfworld
from reflact_env_alfworld.game import GameFault
from reflact_env_alfworld.games import Processes
from reflact_env_alfworld.games.process import GameProcess

PROGRAM = """#!{python}
import json, os, signal, sys, time
for line in sys.stdin:
    request = json.loads(line)
    command = request.get("command", "")
    if command == "crash":
        sys.stderr.write("out of luck\\n")
        sys.stderr.flush()
        os.kill(os.getpid(), signal.SIGSEGV)
    if command == "leave":
        sys.exit(3)
    if command == "hang":
        time.sleep(60)
    text = f"Your task is to: none. {{command}} {{os.environ['ALFWORLD_DATA']}}"
    won = command == "win"
    print(json.dumps(dict(text=text, commands=["win", "hang", "crash"], won=won, done=won, plan=[])), flush=True)
"""


@pytest.fixture
def program(tmp_path: Path) -> str:
    file = tmp_path / "player"
    file.write_text(PROGRAM.format(python=sys.executable), encoding="utf-8")
    file.chmod(0o755)
    return str(file)


@contextmanager
def playing(program: str, **more: Any) -> Iterator[GameProcess]:
    process = GameProcess(program, **more)
    try:
        yield process
    finally:
        process.close()


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def gone(pid: int, within_s: float = 5.0) -> bool:
    until = time.monotonic() + within_s
    while is_alive(pid) and time.monotonic() < until:
        time.sleep(0.02)
    return not is_alive(pid)


def test_a_process_answers_and_knows_the_data_root(program: str, tmp_path: Path) -> None:
    with playing(program, data_root=tmp_path) as process:
        assert str(tmp_path) in process.load(tmp_path / "x").text
        assert process.step("win").won
    assert not is_alive(process.pid)


def test_a_crash_is_told_with_its_signal_and_last_words(program: str, tmp_path: Path) -> None:
    with playing(program) as process:
        process.load(tmp_path)
        with pytest.raises(GameFault, match="ended by signal 11: out of luck") as caught:
            process.step("crash")
        assert caught.value.outcome == "infra_error"
        with pytest.raises(GameFault, match="ended by signal 11"):
            process.step("win")


def test_an_exit_is_told_with_its_code(program: str) -> None:
    with playing(program) as process, pytest.raises(GameFault, match="ended with exit code 3"):
        process.step("leave")


def test_a_game_that_hangs_is_given_up(program: str) -> None:
    with playing(program, timeout_s=0.2) as process:
        with pytest.raises(GameFault, match=r"no answer to 'step hang' within 0.2 s \(env.action_timeout\)") as caught:
            process.step("hang")
        assert caught.value.outcome == "timeout"


def test_a_stop_is_heeded_while_a_game_hangs(program: str) -> None:
    stop = Stop()
    stop.set()
    with playing(program) as process, pytest.raises(Stopped):
        under(stop, lambda: process.step("hang"))


def test_a_process_that_comes_back_whole_is_lent_again_and_one_that_failed_is_ended(
    program: str, tmp_path: Path
) -> None:
    processes = Processes(partial(GameProcess, program), keep=1)
    with processes.lend() as first:
        first.load(tmp_path)
    with processes.lend() as second, processes.lend() as third:
        assert second is first
        assert third is not first
    with pytest.raises(GameFault), processes.lend() as fourth:
        fourth.step("crash")
    assert not is_alive(fourth.pid)
    processes.close()
    assert not any(map(is_alive, (first.pid, third.pid)))


def test_idle_processes_end_with_what_lends_them(program: str) -> None:
    processes = Processes(partial(GameProcess, program), keep=2)
    with processes.lend() as one:
        assert is_alive(one.pid)
    assert is_alive(one.pid)
    del processes
    gc.collect()
    assert not is_alive(one.pid)


def test_an_interpreter_that_lacks_textworld_or_cannot_be_run_is_told_before_anything_is_played(
    root: Path, tmp_path: Path
) -> None:
    bare = tmp_path / "bare"
    bare.write_text(f'#!/bin/sh\nexec {sys.executable} -S -I "$@"\n', encoding="utf-8")
    bare.chmod(0o755)
    for python, message in (
        (str(bare), "textworld, alfworld.* is missing in env.python"),
        ("no-such", "cannot be run"),
    ):
        with pytest.raises(DataError, match=message):
            Alfworld(AlfworldConfig(data_root=str(root), python=python))


@pytest.fixture
def env(program: str, root: Path) -> Iterator[Alfworld]:
    made = Alfworld(AlfworldConfig(data_root=str(root), python=program, action_timeout=2))
    yield made
    made.close()


def students(commands: dict[int, str]) -> Callable[[Any], EchoStudent]:
    """Return students that give one command over and over, by the number of their task; others win."""

    def student(task: Any) -> EchoStudent:
        command = commands.get(int(task.id.rpartition("T")[2]), "win")
        return EchoStudent(f"<action>{command}</action>")

    return student


def test_a_crash_and_a_hang_cost_their_own_tasks_only(env: Alfworld, tmp_path: Path) -> None:
    student = students({1: "crash", 2: "hang"})
    tasks = env.tasks("train")
    found = list(env.run_many(tasks, skill=Skill(""), student=student, workdir=lambda _: tmp_path, workers=2))
    outcomes = {one.task_id[-1]: (one.outcome, one.hard) for one in found}
    assert outcomes == {"0": ("ok", 1.0), "1": ("infra_error", 0.0), "2": ("timeout", 0.0), "3": ("ok", 1.0)}


def test_closing_early_ends_every_process_at_once(program: str, root: Path, tmp_path: Path) -> None:
    env = Alfworld(AlfworldConfig(data_root=str(root), python=program))
    student = students({1: "hang", 2: "hang", 3: "hang"})
    played = env.run_many(env.tasks("train"), skill=Skill(""), student=student, workdir=lambda _: tmp_path, workers=4)
    assert next(iter(played)).hard == 1.0
    began = time.monotonic()
    played.close()  # type: ignore[attr-defined]
    assert time.monotonic() - began < 20
    found = subprocess.run(["pgrep", "-f", program], capture_output=True, text=True).stdout.split()
    assert found == []


def test_no_process_outlives_a_program_that_is_killed(program: str) -> None:
    script = (
        "import sys, time; from pathlib import Path; from reflact_env_alfworld.games.process import GameProcess\n"
        f"p = GameProcess({program!r}); p.load(Path('x')); print(p.pid, flush=True); time.sleep(60)"
    )
    owner = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert owner.stdout is not None
    pid = int(owner.stdout.readline())
    owner.send_signal(signal.SIGKILL)
    owner.wait()
    owner.stdout.close()
    assert gone(pid)

"""Episodes per minute through the env, against a bare loop over the same library with as many processes.

    python benchmarks/alfworld/speed.py --workers 2 --rounds 5

Nobody is asked: in both, every game is looked at a few times and then won by its walkthrough.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from reflact import Skill, Task
from reflact.kit.scripted import EchoStudent
from reflact_env_alfworld.config import AlfworldConfig
from reflact_env_alfworld.env import Alfworld
from reflact_env_alfworld.games.child import stack
from reflact_env_alfworld.sample import write_sample

Script = tuple[str, tuple[str, ...]]
"""A game file, and the commands to give."""
Play = Callable[[Sequence[Script]], None]


def loop(waiting: Any, done: Any) -> None:
    """Play what *waiting* gives, straight from the library, and tell *done* of each game that was won."""
    game = stack()
    done.put("ready")
    for gamefile, commands in iter(waiting.get, None):
        game.load(gamefile)
        state = game.reset()
        for command in commands:
            state, _, _ = game.step(command)
        done.put(bool(state["won"]))


@contextmanager
def bare(workers: int) -> Iterator[Play]:
    """Give what plays games in *workers* processes, with nothing around the library."""
    spawn = multiprocessing.get_context("spawn")
    waiting, done = spawn.Queue(), spawn.Queue()
    processes = [spawn.Process(target=loop, args=(waiting, done), daemon=True) for _ in range(workers)]
    for one in processes:
        one.start()
    for _ in processes:
        done.get()

    def play(scripts: Sequence[Script]) -> None:
        for script in scripts:
            waiting.put(script)
        assert all(done.get() for _ in scripts)

    yield play
    for _ in processes:
        waiting.put(None)
    for one in processes:
        one.join()


@contextmanager
def through_the_env(workers: int, data: Path) -> Iterator[Play]:
    """Give what plays games as a run does: prompts, replies, pipes, traces and grading, and no model."""
    env = Alfworld(AlfworldConfig(data_root=str(data)))
    tasks = {str(data / task.data["gamefile"]): task for task in env.tasks("train")}

    def play(scripts: Sequence[Script]) -> None:
        commands = {tasks[gamefile].id: commands for gamefile, commands in scripts}

        def student(task: Task) -> EchoStudent:
            left = iter(commands[task.id])
            return EchoStudent(lambda _: f"<think>next</think><action>{next(left)}</action>")

        given = [tasks[gamefile] for gamefile, _ in scripts]
        folder = Path("unused")
        played = env.run_many(given, skill=Skill(""), student=student, workdir=lambda _: folder, workers=workers)
        assert all(one.hard == 1.0 for one in played)

    yield play
    env.close()


def scripts_of(data: Path, looks: int) -> list[Script]:
    """Return the games of train below *data*, each with *looks* and then what wins it."""
    files = sorted((data / "json_2.1.1" / "train").rglob("game.tw-pddl"))
    plans = [json.loads(file.read_text(encoding="utf-8"))["walkthrough"] for file in files]
    return [(str(file), (*["look"] * looks, *plan)) for file, plan in zip(files, plans, strict=True)]


class Taken(NamedTuple):
    """What playing took, in seconds: on the clock, of all processors together, and of this process alone."""

    wall: float
    cpu: float
    own: float


def measured(play: Play, scripts: Sequence[Script]) -> Taken:
    """Return what *play* takes over *scripts*."""
    wall, cpu, own = time.perf_counter(), cpu_seconds(), time.process_time()
    play(scripts)
    return Taken(time.perf_counter() - wall, cpu_seconds() - cpu, time.process_time() - own)


def cpu_seconds() -> float:
    """Return the processor time of this process and of its children so far, as Linux tells it."""
    tasks = Path("/proc/self/task").glob("*/children")
    children = [Path("/proc") / pid / "stat" for file in tasks for pid in file.read_text().split()]
    fields = [file.read_text().rpartition(")")[2].split() for file in children]
    ticks = sum(int(one[11]) + int(one[12]) for one in fields)
    return time.process_time() + ticks / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Measure in turn, so that a busy machine slows both, and tell the medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, default=2, help="processes in both (default: 2)")
    parser.add_argument("--rounds", type=int, default=5, help="how often both are measured (default: 5)")
    parser.add_argument("--games", type=int, default=18, help="games that are made; a third of them is played (18)")
    parser.add_argument("--looks", type=int, default=10, help="steps before the walkthrough begins (default: 10)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        write_sample(data, given.games, 1)
        scripts = scripts_of(data, given.looks)
        with bare(given.workers) as plain, through_the_env(given.workers, data) as ours:
            measured(plain, scripts[: given.workers])
            measured(ours, scripts[: given.workers])
            pairs = [(measured(plain, scripts), measured(ours, scripts)) for _ in range(given.rounds)]
    tell(scripts, given.workers, pairs)


def tell(scripts: Sequence[Script], workers: int, pairs: Sequence[tuple[Taken, Taken]]) -> None:
    """Write what was measured to stdout: *pairs* of what the bare loop took, and the env."""
    steps = sum(len(commands) for _, commands in scripts) / len(scripts)
    out = [
        f"CPython {platform.python_version()}, {multiprocessing.cpu_count()} cores, {workers} processes, "
        f"{len(scripts)} games of {steps:.0f} steps, {len(pairs)} rounds, load {os.getloadavg()[0]:.1f}"
    ]
    for name, column in zip(("bare loop", "through the env"), zip(*pairs, strict=True), strict=True):
        rates = [60 * len(scripts) / one.wall for one in column]
        cpu = statistics.median(one.cpu for one in column) / len(scripts)
        out.append(
            f"{name + ':':16} {statistics.median(rates):5.1f} episodes/min (best {max(rates):.1f}), "
            f"{cpu:.2f} s of processor time each"
        )
    for name in ("wall", "cpu"):
        more = [100 * (getattr(ours, name) / getattr(plain, name) - 1) for plain, ours in pairs]
        each = ", ".join(f"{one:+.1f}" for one in more)
        out.append(f"overhead, {name:4}: median {statistics.median(more):+.1f} % ({each})")
    share = statistics.median(100 * ours.own / (ours.cpu - ours.own) for _, ours in pairs)
    out.append(f"prompts, traces, grading and pipes in the env's own process: {share:.1f} % of what the games take")
    sys.stdout.write("\n".join(out) + "\n")


if __name__ == "__main__":
    main()

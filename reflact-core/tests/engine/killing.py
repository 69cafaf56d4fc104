"""Runs the world, kills it at one write after the other, resumes it, and compares: a program of its own.

    python killing.py "one candidate" writes 41 FOLDER

It forks, so it must not share a process with whatever else a test session has loaded. Prints the number of the write
that no run reached; ends with an error at the first difference.
"""

import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reflact.engine.train import train
from rewriters import suggesting
from thorough import AT_ONCE, EVERYTHING, Walker, thorough
from world import artifacts, world

SHAPES: dict[str, Mapping[str, Any]] = {
    "one candidate": {"train": {"batch_size": 8, "num_epochs": 1}},
    "two epochs, accumulation, several candidates": {
        "train": {"batch_size": 4, "accumulation": 2, "num_epochs": 2},
        "optimizer": {"candidates_per_step": 3, "screen_size": 4, "use_slow_update": False, "use_meta_skill": False},
    },
    "everything of an epoch's end": {
        "train": {"batch_size": 8, "num_epochs": 2},
        "optimizer": {
            "use_slow_update": True,
            "use_meta_skill": True,
            "use_meta_reflect": True,
            "slow_update_samples": 6,
        },
        "evaluation": {"gate_repeats": 2},
    },
    "suggestions, and the document written anew": {
        "teacher": suggesting,
        "train": {"batch_size": 8, "num_epochs": 2},
        "optimizer": {
            "skill_update_mode": "rewrite_from_suggestions",
            "candidates_per_step": 2,
            "use_meta_reflect": True,
            "use_slow_update": False,
            "use_meta_skill": False,
        },
    },
    AT_ONCE: {"student": Walker(), "teacher": thorough, **EVERYTHING},
}


def run(root: Path, shape: str) -> None:
    resolved, plugins = world(**SHAPES[shape])
    train(resolved, plugins, root, observers=plugins.observers(disabled=frozenset(plugins.names("observers"))))


def killed_at(write: int, root: Path, shape: str, events: str) -> bool:
    """Run in a child that kills itself just before its *write*-th write below *root*; False if it got through.

    *events* are `artifacts`, the moves of finished files into place, or `writes`, which counts every opened file too.
    """
    child = os.fork()
    if child == 0:
        left = [write]

        def count(event: str, arguments: tuple[Any, ...]) -> None:
            opened = event == "open" and isinstance(arguments[1], str) and arguments[1] in "aw"
            writes = event == "os.rename" or (events == "writes" and opened)
            if writes and str(arguments[0]).startswith(str(root)):
                left[0] -= 1
                if left[0] == 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(count)
        try:
            run(root, shape)
        finally:
            os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def in_child(root: Path, shape: str) -> None:
    child = os.fork()
    if child == 0:
        code = 1
        try:
            run(root, shape)
            code = 0
        finally:
            os._exit(code)
    if os.waitpid(child, 0)[1]:
        sys.exit(f"the run in {root} failed")


def every_kill(shape: str, tmp_path: Path, events: str, stride: int) -> int:
    in_child(tmp_path / "whole", shape)
    whole = artifacts(tmp_path / "whole")
    write = 1
    while killed_at(write, tmp_path / f"run{write}", shape, events):
        in_child(tmp_path / f"run{write}", shape)
        again = artifacts(tmp_path / f"run{write}")
        differ = sorted(name for name in {*again, *whole} if again.get(name) != whole.get(name))
        if differ:
            sys.exit(f"killed before write {write}, these differ: {', '.join(differ)}")
        write += stride
    return write


if __name__ == "__main__":
    chosen, kind, step, folder = sys.argv[1:]
    print(every_kill(chosen, Path(folder), kind, int(step)))

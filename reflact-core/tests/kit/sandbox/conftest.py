"""A sandbox, and a way to run a few lines of Python in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from shutil import which
from typing import Any

import pytest
from reflact.kit.sandbox import Job, Limits, Ran, Sandbox, python, sandbox

Runs = Callable[..., Ran]
TIGHT = {"seconds": 8.0, "cpu_s": 2, "memory_mb": 300, "processes": 24, "file_mb": 5, "disk_mb": 20, "output_kb": 64}


@pytest.fixture
def run(tmp_path: Path) -> Runs:
    """Runs a text as a Python program, confined; keywords are limits, or fields of the job."""
    if which("bwrap") is None:
        pytest.skip("bubblewrap is not installed")
    return _runner(sandbox("bwrap"), tmp_path / "work")


@pytest.fixture
def run_unconfined(tmp_path: Path) -> Runs:
    """The same with no confinement."""
    return _runner(sandbox("none"), tmp_path / "work")


def _runner(confined: Sandbox, work: Path) -> Runs:
    program, folders = python()

    def run(text: str, *, readable: tuple[Path, ...] = (), **more: Any) -> Ran:
        work.mkdir(exist_ok=True)
        (work / "program.py").write_text(text, encoding="utf-8")
        bounds = Limits(**{**TIGHT, **{name: more.pop(name) for name in [*more] if name in TIGHT}})
        argv = (program, "-I", "-B", str(work / "program.py"))
        return confined.run(Job(argv=argv, work=work, readable=(*folders, *readable), limits=bounds, **more))

    return run

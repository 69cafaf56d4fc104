"""Wheels of the whole workspace, and environments that hold nothing else."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from clean import CleanEnvironment
from workspace import ROOT, distributions


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a wheel of every distribution."""
    folder = tmp_path_factory.mktemp("wheels")
    build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(folder)]
    subprocess.run([*build, *(str(dist.folder) for dist in distributions())], check=True)
    return folder


@pytest.fixture
def environment(wheels: Path, tmp_path: Path) -> Iterator[Callable[..., CleanEnvironment]]:
    """Make an environment with the named requirements: ours from the wheels, others as `constraints.txt` has them."""
    made: list[Path] = []

    def make(*requirements: str) -> CleanEnvironment:
        made.append(tmp_path / f"environment-{len(made)}")
        clean = CleanEnvironment(made[-1], wheels, ROOT / "constraints.txt")
        clean.install(*requirements)
        return clean

    yield make
    for folder in made:
        shutil.rmtree(folder)

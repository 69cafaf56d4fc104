"""What the tests of an agent's surroundings share: commands that are small Python programs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from reflact.agents import Command, Private, minimal, private_folder


@pytest.fixture
def private(tmp_path: Path) -> Iterator[Private]:
    with private_folder(tmp_path / "job") as folder:
        yield folder


@pytest.fixture
def python(private: Private) -> Callable[..., Command]:
    """Return what makes a command of a piece of Python."""

    def command(code: str, **more: object) -> Command:
        settings = {"timeout_s": 20.0, "grace_s": 0.3, **more}
        environment = minimal({}, private)
        return Command(argv=(sys.executable, "-c", code), cwd=private.home, environment=environment, **settings)  # type: ignore[arg-type]

    return command

"""Runs `reflact` in an empty folder, in this process, with the plugin file of these tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from reflact_cli.main import main

DESKS = Path(__file__).parent / "plugins" / "desks.py"

CONFIG = """\
model:
  teacher_backend: coach
  student_backend: clerk
train:
  num_epochs: 2
  batch_size: 4
gradient:
  minibatch_size: 2
optimizer:
  use_slow_update: false
  use_meta_skill: false
env:
  name: desks
  workers: 2
"""


@dataclass(frozen=True)
class Ran:
    """What a command gave back."""

    code: int
    out: str
    err: str


Reflact = Callable[..., Ran]


@pytest.fixture
def reflact(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Reflact:
    """`reflact(*args)` in an empty folder that holds `desks.yaml` only."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "desks.yaml").write_text(CONFIG, encoding="utf-8")

    def run(*args: object) -> Ran:
        capsys.readouterr()
        code = main([str(arg) for arg in args])
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run


@pytest.fixture
def train(reflact: Reflact) -> Reflact:
    """`train(*args)` is `reflact train desks.yaml` with the plugin file, in the folder `run`."""

    def run(*args: object) -> Ran:
        return reflact("train", "desks.yaml", "--plugin", DESKS, "--out", "run", *args)

    return run

"""A stranger's update mode, with items and templates of its own: in a run, and installed from its wheel."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from clean import CleanEnvironment
from reflact import Plugins
from reflact.config import load
from reflact.engine.train import train

PROJECT = Path(__file__).parent / "update_mode"
CONFIG = """
model: {teacher_backend: teacher, student_backend: student}
prompts: lines
train: {num_epochs: 1, batch_size: 4}
gradient: {minibatch_size: 2}
optimizer: {skill_update_mode: lines, use_slow_update: false}
env: {name: doors}
"""


def check(out: Path) -> None:
    assert json.loads((out / "summary.json").read_text())["test_hard"] == 1.0
    assert sorted((out / "best_skill.md").read_text().splitlines()) == ["- blue: open blue", "- red: open red"]
    added = json.loads((out / "steps/step_0001/lines_added.json").read_text())
    assert sorted(added) == ["blue: open blue", "red: open red"]
    [first, _] = json.loads((out / "steps/step_0001/ranked_edits.json").read_text())["lines"]
    assert first["support_count"] > 0


def test_a_mode_from_a_plugin_file_learns(tmp_path: Path) -> None:
    plugins = Plugins()
    plugins.load_file(PROJECT / "reflact_mode_lines" / "__init__.py")
    plugins.load_file(PROJECT / "bench.py")
    (tmp_path / "doors.yaml").write_text(CONFIG)
    quiet = plugins.observers(disabled=frozenset(plugins.names("observers")))
    train(load(tmp_path / "doors.yaml", plugins=plugins), plugins, tmp_path / "out", observers=quiet)
    check(tmp_path / "out")


@pytest.mark.slow
def test_a_mode_installed_from_its_wheel_is_listed_learns_and_keeps_the_contract(
    environment: Callable[..., CleanEnvironment], tmp_path: Path
) -> None:
    build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(tmp_path)]
    subprocess.run([*build, str(PROJECT)], check=True)
    clean = environment("reflact-cli", "reflact-core[testing]")
    clean.install(str(next(tmp_path.glob("reflact_mode_lines-*.whl"))))
    listed = [line.split() for line in clean.run("reflact", "plugins").splitlines()]
    assert any(words[-2:] == ["reflact-mode-lines", "0.1.0"] and "lines" in words for words in listed)

    (tmp_path / "doors.yaml").write_text(CONFIG)
    clean.run("reflact", "train", "doors.yaml", "--plugin", str(PROJECT / "bench.py"), "--out", "run", cwd=tmp_path)
    check(tmp_path / "run")

    shutil.copy(PROJECT / "suite.py", tmp_path / "test_lines.py")
    passed = clean.run("python", "-m", "pytest", "-q", "test_lines.py", cwd=tmp_path)
    assert "14 passed" in passed

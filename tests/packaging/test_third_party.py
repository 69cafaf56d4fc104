"""A stranger's benchmark, as the README shows it: built, installed from its wheel, used and removed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from clean import CleanEnvironment
from documents import blocks
from workspace import ROOT

pytestmark = pytest.mark.slow
MODULE, TEST = "reflact_env_capitals.py", "test_capitals.py"
CONFIG = """
model: {teacher_backend: one_idea, student_backend: talker}
train: {num_epochs: 1, batch_size: 2}
env: {name: capitals}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The project as the README prints it, with an import that would leave a mark."""
    folder = tmp_path / "capitals"
    folder.mkdir()
    for block in blocks(ROOT / "README.md"):
        if block.title in (MODULE, TEST, "pyproject.toml"):
            (folder / block.title).write_text(block.text)
    lines = (folder / MODULE).read_text().splitlines(keepends=True)
    mark = f"open({str(tmp_path / 'imported')!r}, 'w').close()\n"
    (folder / MODULE).write_text("".join([lines[0], mark, *lines[1:]]))
    return folder


@pytest.fixture
def run_folder(tmp_path: Path) -> Path:
    """A folder with a config, and the tutorial's models made of Python as a plugin file."""
    tutorial = ROOT / "docs" / "tutorial" / "your-first-benchmark.md"
    models = next(block for block in blocks(tutorial) if block.title == "models.py")
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "models.py").write_text(models.text)
    (folder / "capitals.yaml").write_text(CONFIG)
    return folder


def test_the_readme_counts_its_lines_honestly() -> None:
    printed = {block.title: block.text for block in blocks(ROOT / "README.md")}
    assert len([line for line in printed[MODULE].splitlines() if line.strip()]) <= 30


def test_a_strangers_benchmark_is_listed_checked_trained_tested_and_removed(
    project: Path, run_folder: Path, environment: Callable[..., CleanEnvironment], tmp_path: Path
) -> None:
    build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(tmp_path)]
    subprocess.run([*build, str(project)], check=True)
    clean = environment("reflact-cli", "reflact-core[testing]")
    assert "capitals" not in clean.run("reflact", "plugins")

    clean.install(str(next(tmp_path.glob("reflact_env_capitals-*.whl"))))
    listed = clean.run("reflact", "plugins")
    assert ["env", "capitals", "reflact-env-capitals", "0.1.0"] in [line.split() for line in listed.splitlines()]
    assert not (tmp_path / "imported").exists(), "listing has imported the plugin"

    assert "capitals: good" in clean.run("reflact", "check", "capitals")
    assert (tmp_path / "imported").exists()

    arguments = ["train", "capitals.yaml", "--plugin", "models.py", "--out", "run"]
    assert "+100 points" in clean.run("reflact", *arguments, cwd=run_folder)
    assert json.loads((run_folder / "run" / "summary.json").read_text())["test_hard"] == 1.0

    passed = clean.run("python", "-m", "pytest", "-q", str(project / TEST), cwd=run_folder)
    assert "passed" in passed and "failed" not in passed

    clean.uninstall("reflact-env-capitals")
    assert "capitals" not in clean.run("reflact", "plugins")

"""`make bump` changes every place a version stands in, and releases the notes."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from workspace import ROOT, distributions, repository_files

OURS = re.compile(r"reflact[a-z-]*>=\d[^\s\"',\]]*,<[0-9.]+")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the repository."""
    for file in repository_files():
        target = tmp_path / file.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)
    return tmp_path


def bump(copy: Path, version: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": "tests"}
    command = [sys.executable, "tests/packaging/bump.py", version]
    return subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True)


def test_every_distribution_has_the_new_version_and_asks_for_it(copy: Path) -> None:
    assert bump(copy, "0.7.1").returncode == 0
    assert {dist.project["version"] for dist in distributions(copy)} == {"0.7.1"}
    core = next(dist for dist in distributions(copy) if dist.name == "reflact-cli")
    assert "reflact-core>=0.7,<0.8" in core.project["dependencies"]


def test_no_document_or_template_asks_for_the_old_version(copy: Path) -> None:
    bump(copy, "0.7.0")
    files = [file for file in copy.rglob("*") if file.is_file() and "tests" not in file.relative_to(copy).parts]
    asked = {found for file in files for found in OURS.findall(file.read_text(encoding="utf-8", errors="ignore"))}
    assert asked
    assert all(one.endswith(">=0.7,<0.8") for one in asked), asked


def test_the_notes_become_a_release_at_the_top_of_the_changelog(copy: Path) -> None:
    (copy / "changelog.d" / "ray.added.md").write_text("reflact-core: tasks can run on a Ray cluster.\n")
    (copy / "changelog.d" / "csv.fixed.md").write_text("reflact-env-qa: a CSV may begin with a byte order mark.\n")
    bump(copy, "0.7.0")
    text = (copy / "CHANGELOG.md").read_text()
    assert text.index("## 0.7.0 (") < text.index("### Added\n\n- reflact-core: tasks can") < text.index("### Fixed")
    assert text.index("### Fixed") < text.index("## 0.1.0")
    assert not list((copy / "changelog.d").glob("*.*.md"))


def test_something_that_is_no_version_is_refused_and_changes_nothing(copy: Path) -> None:
    done = bump(copy, "next")
    assert done.returncode == 1
    assert "write three numbers" in done.stderr
    assert [dist.project["version"] for dist in distributions(copy)] == [
        dist.project["version"] for dist in distributions()
    ]

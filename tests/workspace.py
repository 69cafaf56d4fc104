"""What the tests of the whole repository know about it: its distributions, and the files that belong to it."""

from __future__ import annotations

import subprocess
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class Distribution:
    """One `pyproject.toml` of the workspace."""

    folder: Path

    @property
    def pyproject(self) -> dict[str, Any]:
        """The file's contents."""
        return tomllib.loads((self.folder / "pyproject.toml").read_text(encoding="utf-8"))

    @property
    def project(self) -> dict[str, Any]:
        """The file's table `project`."""
        table: dict[str, Any] = self.pyproject["project"]
        return table

    @property
    def name(self) -> str:
        """The distribution's name."""
        return str(self.project["name"])

    @property
    def package(self) -> Path:
        """The folder of its import package; the meta-package at the root has none."""
        return self.folder / "src" / ("reflact" if self.name == "reflact-core" else self.name.replace("-", "_"))

    def modules(self) -> Iterator[Path]:
        """Yield its Python files."""
        yield from sorted(self.package.rglob("*.py"))

    def __str__(self) -> str:
        return self.name


def members(root: Path = ROOT) -> list[Distribution]:
    """Return the distributions that hold code, sorted by folder."""
    found = [*root.glob("reflact-*/pyproject.toml"), *root.glob("reflact-*/*/pyproject.toml")]
    return [Distribution(file.parent) for file in sorted(found)]


def distributions(root: Path = ROOT) -> list[Distribution]:
    """Return all distributions: the members, and the meta-package at the root."""
    return [*members(root), Distribution(root)]


def repository_files() -> list[Path]:
    """Return the text files that are under version control, or will be; skips a test outside a Git checkout."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True
    )
    if listed.returncode:
        pytest.skip("not a Git checkout, so which files belong to the repository is not known")
    files = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    return [file for file in files if file.is_file() and b"\0" not in file.read_bytes()[:8192]]

"""A virtual environment with what pip puts into it, and nothing of this checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path


class CleanEnvironment:
    """A new environment in *folder*; commands run outside the checkout and see no variable of Python's."""

    def __init__(self, folder: Path, wheels: Path, constraints: Path) -> None:
        venv.create(folder, with_pip=False)
        self.bin = folder / "bin"
        self.folder = folder
        self._options = ["-q", "--disable-pip-version-check", "--find-links", str(wheels), "-c", str(constraints)]

    def install(self, *requirements: str) -> None:
        """Install *requirements*."""
        self._pip("install", *self._options, *requirements)

    def uninstall(self, *names: str) -> None:
        """Take *names* out again."""
        self._pip("uninstall", "-q", "-y", *names)

    def _pip(self, *words: str) -> None:
        """Let the pip of these tests work in this environment, which takes seconds less than to give it one."""
        pip = [sys.executable, "-m", "pip", "--python", str(self.bin / "python"), *words]
        done = subprocess.run(pip, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert done.returncode == 0, f"{' '.join(pip)}: exit code {done.returncode}\n{done.stdout}"

    def run(self, command: str, *arguments: str, cwd: Path | None = None) -> str:
        """Return what *command* of this environment says. Raises `AssertionError` with it when it fails."""
        python = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
        path = os.pathsep.join([str(self.bin), python.get("PATH", os.defpath)])
        done = subprocess.run(
            [str(self.bin / command), *arguments],
            cwd=cwd or self.folder,
            env={**python, "PATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert done.returncode == 0, f"{command} {' '.join(arguments)}: exit code {done.returncode}\n{done.stdout}"
        return done.stdout

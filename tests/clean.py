"""A virtual environment as a user makes one: with a plain `pip`, and nothing of this checkout."""

from __future__ import annotations

import os
import subprocess
import venv
from pathlib import Path


class CleanEnvironment:
    """A new environment in *folder*; commands run outside the checkout and see no variable of Python's."""

    def __init__(self, folder: Path, wheels: Path, constraints: Path) -> None:
        venv.create(folder, with_pip=True)
        self.bin = folder / "bin"
        self.folder = folder
        self._options = ["-q", "--disable-pip-version-check", "--find-links", str(wheels), "-c", str(constraints)]

    def install(self, *requirements: str) -> None:
        """Install *requirements*."""
        self.run("python", "-m", "pip", "install", *self._options, *requirements)

    def uninstall(self, *names: str) -> None:
        """Take *names* out again."""
        self.run("python", "-m", "pip", "uninstall", "-q", "-y", *names)

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

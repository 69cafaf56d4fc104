"""An agent's program on this machine: where it is, which version, which flags it takes."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from reflact.agents.environment import minimal
from reflact.agents.private import private_folder
from reflact.agents.process import Command, Ended, run

_VERSION = re.compile(r"\d+(?:\.\d+)+(?:[-+.][0-9A-Za-z.-]+)?")
ASK_S = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A program, its version, and what it said when asked for help."""

    path: Path
    version: str
    help: str

    def takes(self, flag: str) -> bool:
        """Return whether the program knows *flag*, by its own help."""
        return re.search(rf"(?<![\w-]){re.escape(flag)}(?![\w-])", self.help) is not None


def find(command: str, *, path: str) -> Path | None:
    """Return the file behind *command*: a path, or a name looked for in the folders of *path*; `None` if nowhere."""
    found = shutil.which(str(Path(command).expanduser()), path=path)
    return Path(found).resolve() if found else None


def ask(program: Path, arguments: Sequence[str], *, environ: Mapping[str, str], timeout_s: float = ASK_S) -> Ended:
    """Return how *program* ends, run with *arguments* in an empty home. Raises `BackendError` if it cannot be run."""
    with (
        tempfile.TemporaryDirectory(prefix="reflact-", ignore_cleanup_errors=True) as folder,
        private_folder(Path(folder)) as private,
    ):
        environment = minimal(environ, private)
        argv = (str(program), *arguments)
        return run(Command(argv=argv, cwd=private.home, environment=environment, timeout_s=timeout_s))


def examined(program: Path, *, helps: Sequence[Sequence[str]], environ: Mapping[str, str]) -> Program:
    """Return *program* with its version, and what it says to each of *helps*, such as `("exec", "--help")`."""
    told = ask(program, ["--version"], environ=environ)
    said = [ask(program, words, environ=environ).stdout.decode("utf-8", "replace") for words in helps]
    version = _VERSION.search(told.stdout.decode("utf-8", "replace"))
    return Program(path=program, version=version[0] if version else "", help="\n".join(said))

"""A copy of a repository in a folder of its own, and programs that run on it in the sandbox."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from reflact import ConfigError
from reflact.kit.sandbox import Job, Limits, Ran, Sandbox, python, sandbox

from reflact_env_swebench import repository
from reflact_env_swebench.config import SWEBenchConfig

SYSTEM = "/usr/local/bin:/usr/bin:/bin"
CALM = {"PAGER": "cat", "GIT_PAGER": "cat", "MANPAGER": "cat", "PIP_PROGRESS_BAR": "off", "TQDM_DISABLE": "1"}
LIMITS = Limits(processes=256, file_mb=500, disk_mb=2000, files=1024, output_kb=8192)


@dataclass(frozen=True, slots=True, kw_only=True)
class Workshop:
    """Runs programs on `testbed`. Beside it lie a home and a folder for temporary files, which outlast a command."""

    box: Sandbox
    folder: Path
    path: str
    readable: tuple[Path, ...] = ()
    limits: Limits = field(default=LIMITS)

    @property
    def testbed(self) -> Path:
        """The repository."""
        return self.folder / "testbed"

    def run(self, argv: tuple[str, ...], *, seconds: float, stdin: str | None = None) -> Ran:
        """Return how *argv* ended, which is run in the repository for at most *seconds*."""
        surroundings = {
            "PATH": self.path,
            "HOME": str(self.folder / "home"),
            "TMPDIR": str(self.folder / "tmp"),
            **CALM,
        }
        job = Job(
            argv=("env", f"--chdir={self.testbed}", *argv),
            work=self.folder,
            readable=self.readable,
            environment={**surroundings, "PYTHONDONTWRITEBYTECODE": "1", "GIT_CONFIG_NOSYSTEM": "1"},
            limits=replace(self.limits, seconds=seconds, cpu_s=int(seconds) + 1),
            stdin=stdin,
        )
        return self.box.run(job)


@dataclass(frozen=True, slots=True, kw_only=True)
class Workshops:
    """Opens a workshop for each piece of work."""

    box: Sandbox
    path: str
    readable: tuple[Path, ...]
    limits: Limits

    @contextmanager
    def open(self, source: Path, commit: str) -> Iterator[Workshop]:
        """Yield a workshop with a copy of the repository *source* at *commit*, which is gone afterwards."""
        with tempfile.TemporaryDirectory(prefix="reflact-swe-", ignore_cleanup_errors=True) as name:
            folder = Path(name).resolve()
            for part in ("home", "tmp"):
                (folder / part).mkdir()
            repository.copy(source, commit, folder / "testbed")
            yield Workshop(box=self.box, folder=folder, path=self.path, readable=self.readable, limits=self.limits)


def workshops(config: SWEBenchConfig) -> Workshops:
    """Return what *config* asks for. Raises `ConfigError` where there is no such sandbox, or no such interpreter."""
    box = sandbox(config.sandbox)
    program, folders = _python(config.python)
    return Workshops(
        box=box,
        path=f"{program.parent}:{SYSTEM}",
        readable=folders,
        limits=replace(LIMITS, memory_mb=config.sandbox_mem_mb),
    )


def words(command: str, files: tuple[str, ...]) -> tuple[str, ...]:
    """Return *command* as words, with *files* in place of `{files}`."""
    return tuple(one for word in shlex.split(command) for one in (files if word == "{files}" else (word,)))


def _python(given: str) -> tuple[Path, tuple[Path, ...]]:
    """Return the interpreter and the folders it needs."""
    if not given:
        program, folders = python()
        return Path(program), folders
    program_given = Path(given).absolute()
    if not program_given.is_file():
        raise ConfigError(f"env.python: there is no file {given}; name an interpreter, such as .venv/bin/python")
    installations = dict.fromkeys((program_given.parents[1], program_given.resolve().parents[1]))
    return program_given, tuple(one for one in installations if not one.is_relative_to("/usr"))

"""What is run in a sandbox, within which bounds, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

MB = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds of one run; each ends it with a reason."""

    seconds: float = 120.0
    """Wall time."""
    cpu_s: int = 60
    """Processor time of each process."""
    memory_mb: int = 4096
    """Address space of each process, and resident memory of all together."""
    processes: int = 64
    """Processes and threads at once."""
    file_mb: int = 100
    """Size of one file."""
    disk_mb: int = 400
    """What the work folder may grow by."""
    files: int = 256
    """Open files of each process."""
    output_kb: int = 1024
    """Output that is kept, of each stream: its beginning and its end."""


LIMITS = Limits()


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A program and the files it sees.

    Files have the same path inside and outside. `work` is the one folder that can be written to, and where the program
    starts; `readable` are files and folders it can read besides the system's own programs and libraries.
    """

    argv: tuple[str, ...]
    work: Path
    readable: tuple[Path, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables besides PATH, HOME (the work folder), TMPDIR, TZ, LC_ALL and PYTHONHASHSEED; nothing is inherited."""
    limits: Limits = LIMITS
    stdin: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """How a run ended. `reason` is empty for one that ended well, else it says in a few words why it did not."""

    exit_code: int
    stdout: str
    stderr: str
    reason: str
    seconds: float

    @property
    def ok(self) -> bool:
        """True when the program ended by itself and said that all is well."""
        return not self.reason


class Sandbox(Protocol):
    """Runs programs that nobody has read."""

    @property
    def name(self) -> str:
        """What confines the programs: `bwrap`, `docker`, or `none`."""

    def run(self, job: Job) -> Ran:
        """Run *job* to its end, which comes at the latest with its limits. Raises `BackendError` if it cannot start."""

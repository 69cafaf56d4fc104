"""Where programs run: the sandbox, a fresh folder for each run, a bound on how many run at once, and what they left."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import BoundedSemaphore

from reflact.errors import DataError
from reflact.kit.sandbox import Job, Limits, Ran, Sandbox, python, sandbox

from reflact_env_spreadsheetbench.config import SpreadsheetConfig

MOST_AT_ONCE = 24
INSIDE = Path(__file__).parent / "inside"
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
MB = 1024 * 1024


def slots() -> BoundedSemaphore:
    """Return a bound on runs: two for each processor, at most 24."""
    return BoundedSemaphore(min(MOST_AT_ONCE, 2 * (os.cpu_count() or 1)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Booth:
    """Runs programs in `box` within `limits`; `python` is the interpreter there, `readable` what it needs."""

    box: Sandbox
    limits: Limits
    python: str
    readable: tuple[Path, ...]
    free: BoundedSemaphore = field(default_factory=slots, repr=False)

    @contextmanager
    def folder(self) -> Iterator[Path]:
        """Yield a fresh folder outside of everything else, which is gone afterwards."""
        with tempfile.TemporaryDirectory(prefix="reflact-sheet-", ignore_cleanup_errors=True) as folder:
            yield Path(folder).resolve()

    def run(self, job: Job) -> Ran:
        """Run *job*, which may read what Python needs too, as soon as there is room."""
        with self.free:
            return self.box.run(replace(job, readable=(*self.readable, *job.readable)))


def booth(config: SpreadsheetConfig) -> Booth:
    """Return the booth that *config* asks for. Raises `ConfigError` where there is no such sandbox."""
    box = sandbox(config.sandbox, image=config.sandbox_image)
    program, folders = ("python3", ()) if box.name == "docker" else python()
    limits = Limits(
        seconds=float(config.code_timeout),
        cpu_s=config.sandbox_cpu_s,
        memory_mb=config.sandbox_mem_mb,
        file_mb=max(100, 2 * config.max_output_mb),
    )
    return Booth(box=box, limits=limits, python=program, readable=(*folders, INSIDE))


def taken(path: Path, *, most_mb: int) -> bytes:
    """Return the content of a file that a program has left. Raises `DataError`: none there, no plain file, too large.

    Links are not followed.
    """
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        raise DataError(f"no file {path.name}") from None
    except OSError as error:
        raise DataError(f"{path.name} is no plain file ({error.strerror})") from None
    try:
        facts = os.fstat(handle)
        if not stat.S_ISREG(facts.st_mode):
            raise DataError(f"{path.name} is no plain file")
        if facts.st_size > most_mb * MB:
            raise DataError(f"{path.name} has {facts.st_size / MB:.0f} MB; at most {most_mb} are taken")
        with os.fdopen(handle, "rb", closefd=False) as file:
            return file.read()
    finally:
        os.close(handle)

"""A folder for one attempt that is gone afterwards: an empty home, a temp folder, and login files on loan."""

from __future__ import annotations

import logging
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

PREFIX = ".private-"
MARKER = "REFLACT_JOB"
"""The environment variable by which the processes of an attempt are known."""
_TRIES = 3


@dataclass(frozen=True, slots=True)
class Private:
    """The folder of one attempt. `home` and `temp` exist and are empty; `marker` is its own, never seen before."""

    root: Path
    marker: str

    @property
    def home(self) -> Path:
        """What HOME is set to."""
        return self.root / "home"

    @property
    def temp(self) -> Path:
        """What TMPDIR is set to; no other folder of the attempt lies below it."""
        return self.root / "tmp"

    def sub(self, name: str) -> Path:
        """Return the folder *name*, made if needed, readable by nobody else."""
        folder = self.root / name
        folder.mkdir(mode=0o700, exist_ok=True)
        return folder


@contextmanager
def private_folder(workdir: Path) -> Iterator[Private]:
    """Lend a private folder below *workdir*; it is removed at the end, as are those a killed attempt left there."""
    workdir.mkdir(parents=True, exist_ok=True)
    for stale in workdir.glob(f"{PREFIX}*"):
        _remove(stale)
    private = Private(Path(tempfile.mkdtemp(prefix=PREFIX, dir=workdir.resolve())), f"job-{uuid4().hex}")
    private.sub("home")
    private.sub("tmp")
    try:
        yield private
    finally:
        _remove(private.root)


def _remove(folder: Path) -> None:
    """Remove *folder*. A file that a dying process still holds is worth a warning, not the result of the job."""
    for attempt in range(_TRIES):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(0.05 * (attempt + 1))
    logging.getLogger(__name__).warning("%s cannot be removed; it may hold login files: remove it by hand.", folder)

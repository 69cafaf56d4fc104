"""Writing that a kill cannot leave half done, and the lock that keeps two runs out of one folder."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reflact.errors import RunError

LOCK = ".lock"
"""The file by which a process holds a folder."""


def write(path: Path, text: str) -> None:
    """Write *text* to *path* whole or not at all: a draft beside it, flushed to disk, then moved into place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.draft")
    with draft.open("w", encoding="utf-8", newline="") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def read(path: Path) -> str:
    """Return the text of *path*, its line ends untouched."""
    with path.open(encoding="utf-8", newline="") as file:
        return file.read()


def in_use(folder: Path) -> bool:
    """Return whether a process holds *folder*. Nothing is touched."""
    lock = folder / LOCK
    if not lock.is_file():
        return False
    with lock.open(encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
    return False


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold *folder* for this process. Raises `RunError` when another one has it."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOCK).open("a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            file.seek(0)
            owner = file.read().strip() or "another process"
            raise RunError(f"{folder} is in use by {owner}; wait for it or choose another out_root.") from error
        except OSError as error:
            raise RunError(f"{folder} cannot be locked ({error}); choose an out_root on a local disk.") from error
        file.truncate(0)
        file.write(f"process {os.getpid()}")
        file.flush()
        yield

"""How a long fetch tells how far it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

Progress = Callable[[str, int, int], None]
"""`progress(what, done, total)`, in bytes; called often, from the thread that fetches."""

BLOCK = 1 << 20


def silent(what: str, done: int, total: int) -> None:
    """Tell nobody."""


def blocks(source: BinaryIO) -> Iterator[bytes]:
    """Yield what is left in *source*, at most `BLOCK` bytes at a time."""
    while block := source.read(BLOCK):
        yield block


def digest(path: Path, *, progress: Progress = silent, what: str = "verify") -> str:
    """Return the SHA-256 of the file at *path* in hex digits."""
    total, done, seen = path.stat().st_size, 0, sha256()
    with path.open("rb") as file:
        for block in blocks(file):
            seen.update(block)
            done += len(block)
            progress(what, done, total)
    return seen.hexdigest()

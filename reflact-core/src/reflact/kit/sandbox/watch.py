"""Bounds that the kernel does not keep for a whole tree of processes: looked after from outside."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from reflact.agents.sweep import descendants
from reflact.kit.sandbox.job import MB, Limits

PAGE = os.sysconf("SC_PAGE_SIZE")
DISK_EVERY_S = 0.5


@dataclass(slots=True)
class Watch:
    """Called with the id of the first process again and again; says why the run has to end, or nothing."""

    limits: Limits
    work: Path
    _measured: float = field(default_factory=time.monotonic)
    _at_first: int = field(init=False)

    def __post_init__(self) -> None:
        self._at_first = size_of(self.work)

    def __call__(self, pid: int) -> str:
        """Return the reason to kill the tree below process *pid*; empty while it keeps its bounds."""
        now = time.monotonic()
        family = [one.pid for one in descendants(pid)]
        if len(family) > self.limits.processes + ours(family):
            return f"more than {self.limits.processes} processes"
        if sum(map(resident, family)) > self.limits.memory_mb * MB:
            return f"more than {self.limits.memory_mb} MB of memory"
        if now - self._measured >= DISK_EVERY_S:
            self._measured = now
            if size_of(self.work) - self._at_first > self.limits.disk_mb * MB:
                return f"more than {self.limits.disk_mb} MB written"
        return ""


def ours(family: list[int]) -> int:
    """Return how many of *family* are the sandbox's own: its first processes."""
    return min(len(family), 3)


def resident(pid: int) -> int:
    """Return the resident memory of process *pid* in bytes; 0 when it is gone."""
    with suppress(OSError, ValueError, IndexError):
        return int(Path(f"/proc/{pid}/statm").read_bytes().split()[1]) * PAGE
    return 0


def size_of(folder: Path) -> int:
    """Return the bytes that the files below *folder* take on disk; links are not followed."""
    return sum(entry.stat(follow_symlinks=False).st_blocks * 512 for entry in entries(folder))


def entries(folder: Path) -> Iterator[os.DirEntry[str]]:
    """Yield what lies below *folder*, as far as it is there while we look."""
    with suppress(OSError), os.scandir(folder) as found:
        for entry in found:
            with suppress(OSError):
                entry.stat(follow_symlinks=False)
                yield entry
                if entry.is_dir(follow_symlinks=False):
                    yield from entries(Path(entry.path))

"""Finding and killing the processes of an attempt, also those that left its session: by the marker, and by descent."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from reflact.agents.private import MARKER

_PROC = Path("/proc")
_ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Seen:
    """A process that was seen. `born` (clock ticks since boot) tells it from a later one with the same number."""

    pid: int
    parent: int
    born: int


def descendants(root: int) -> frozenset[Seen]:
    """Return what now descends from process *root*; empty where there is no /proc."""
    everyone = [seen for pid in _pids() if (seen := _seen(pid)) is not None]
    found: set[Seen] = set()
    level = {root}
    while level:
        below = {one for one in everyone if one.parent in level} - found
        found |= below
        level = {one.pid for one in below}
    return frozenset(found)


def sweep(marker: str, known: Iterable[Seen] = ()) -> int:
    """Kill every process that carries *marker* in its environment, and those *known*; return how many.

    Looks again until nothing is found, since a process may be starting another. Does nothing where there is no /proc.
    """
    killed: set[Seen] = set()
    listed = frozenset(known)
    for _ in range(_ROUNDS):
        found = {*_marked(marker), *(one for one in listed if _seen(one.pid, born=one.born))} - killed
        if not found:
            break
        for one in found:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(one.pid, signal.SIGKILL)
        killed |= found
    return len(killed)


def _marked(marker: str) -> Iterator[Seen]:
    wanted = f"{MARKER}={marker}".encode()
    for pid in _pids() if marker else ():
        with suppress(OSError):
            carries = wanted in (_PROC / str(pid) / "environ").read_bytes().split(b"\0")
            if carries and pid != os.getpid() and (seen := _seen(pid)) is not None:
                yield seen


def _seen(pid: int, *, born: int | None = None) -> Seen | None:
    """Return process *pid* as it is now; `None` when it is gone, a zombie, or was not born at *born*."""
    try:
        fields = (_PROC / str(pid) / "stat").read_bytes().rpartition(b")")[2].split()
        state, parent, start = fields[0], int(fields[1]), int(fields[19])
    except (OSError, ValueError, IndexError):
        return None
    return None if state == b"Z" or born not in (None, start) else Seen(pid, parent, start)


def _pids() -> Iterator[int]:
    with suppress(OSError):
        yield from (int(entry.name) for entry in _PROC.iterdir() if entry.name.isdecimal())

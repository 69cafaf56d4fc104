"""What every run is given, whatever confines it: variables, limits the kernel keeps, and the interpreter."""

from __future__ import annotations

import sys
from pathlib import Path

from reflact.kit.sandbox.job import MB, Job, Limits

PATH = "/usr/local/bin:/usr/bin:/bin"


def environment(job: Job) -> dict[str, str]:
    """Return all the variables of *job*; nothing comes from ours."""
    return {
        "PATH": PATH,
        "HOME": str(job.work),
        "TMPDIR": "/tmp",
        "TZ": "UTC",
        "LC_ALL": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        **job.environment,
    }


def bounded(limits: Limits, *, processes: bool) -> tuple[str, ...]:
    """Return the words before a program that bound it; *processes* only where the count is the program's own."""
    return (
        "prlimit",
        f"--as={limits.memory_mb * MB}",
        f"--cpu={limits.cpu_s}:{limits.cpu_s + 1}",
        f"--fsize={limits.file_mb * MB}",
        f"--nofile={limits.files}",
        "--core=0",
        *((f"--nproc={limits.processes}",) if processes else ()),
        "--",
    )


def python() -> tuple[str, tuple[Path, ...]]:
    """Return this interpreter, and the folders it needs: its installation, and the environment with its packages."""
    folders = dict.fromkeys((Path(sys.prefix).resolve(), Path(sys.base_prefix).resolve()))
    return sys.executable, tuple(folder for folder in folders if not folder.is_relative_to("/usr"))

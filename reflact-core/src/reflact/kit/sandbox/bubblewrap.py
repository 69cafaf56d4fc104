"""Confinement by bubblewrap: namespaces of its own, no network, and only the files it is given."""

from __future__ import annotations

import os
import random
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from reflact.agents.process import Command, run
from reflact.kit.sandbox.ending import ran
from reflact.kit.sandbox.job import MB, Job, Ran
from reflact.kit.sandbox.surroundings import bounded, environment
from reflact.kit.sandbox.watch import Watch

SYSTEM = ("/usr", "/etc/ld.so.cache", "/etc/alternatives", "/etc/fonts", "/etc/ssl/certs", "/etc/libreoffice")
LINKED = ("bin", "sbin", "lib", "lib32", "lib64")
USERS = range(40_000, 60_000)
"""Users that own nothing: a run of root's becomes one of them, so that the bound on processes holds and is its own."""
UNSHARED = ("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try")
"""All namespaces but that of users, in which a run could not become another user."""
SHARED_MB = 64


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """Runs programs with the command `bwrap`, found at `program`."""

    program: Path

    @property
    def name(self) -> str:
        """What it is."""
        return "bwrap"

    def run(self, job: Job) -> Ran:
        """Run *job*. Its whole tree dies with it, and with us."""
        job = replace(job, work=job.work.resolve())
        user = random.choice(USERS) if os.geteuid() == 0 else None
        with _owned(job.work, user), _staged(job, user) as seen:
            ended = run(
                Command(
                    argv=(str(self.program), *self._words(job, seen, user)),
                    cwd=job.work,
                    environment={"PATH": environment(job)["PATH"]},
                    timeout_s=job.limits.seconds,
                    stdin=None if job.stdin is None else job.stdin.encode(),
                    grace_s=0.0,
                    keep=job.limits.output_kb * 1024,
                    isolate=False,
                    watch=Watch(job.limits, job.work),
                )
            )
        return ran(job, ended)

    def _words(self, job: Job, seen: dict[Path, Path], user: int | None) -> Iterator[str]:
        yield from ("--unshare-all",) if user is None else UNSHARED
        yield from ("--die-with-parent", "--new-session", "--clearenv")
        for name, value in environment(job).items():
            yield from ("--setenv", name, value)
        for name in LINKED:
            if Path("/", name).is_symlink():
                yield from ("--symlink", f"usr/{name}", f"/{name}")
            else:
                yield from ("--ro-bind-try", f"/{name}", f"/{name}")
        shared = str(SHARED_MB * MB)
        yield from ("--proc", "/proc", "--dev", "/dev", "--size", shared, "--tmpfs", "/dev/shm")
        yield from ("--perms", "1777", "--size", str(job.limits.disk_mb * MB), "--tmpfs", "/tmp")
        for folder in _above(*map(Path, SYSTEM), *seen, job.work):
            yield from ("--perms", "0755", "--dir", str(folder))
        for name in SYSTEM:
            yield from ("--ro-bind-try", name, name)
        for path, source in seen.items():
            yield from ("--ro-bind", str(source), str(path))
        yield from ("--bind", str(job.work), str(job.work), "--chdir", "/")
        if user is not None:
            yield from ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP")
        yield "--"
        if user is not None:
            yield from ("setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups")
            yield from ("--inh-caps=-all", "--bounding-set=-all", "--no-new-privs", "--")
        yield from ("env", "--chdir", str(job.work))
        yield from bounded(job.limits, processes=True)
        yield from job.argv


def _above(*paths: Path) -> list[Path]:
    """Return the folders that *paths* lie in, outer ones first; bubblewrap would make them for itself alone."""
    return sorted({folder for path in paths for folder in path.parents if folder not in (Path("/"), Path("/tmp"))})


@contextmanager
def _owned(work: Path, user: int | None) -> Iterator[None]:
    """Lend *work*, and all in it, to *user*."""
    if user is None:
        yield
        return
    _give(work, user)
    try:
        yield
    finally:
        _give(work, os.geteuid())


def _give(folder: Path, user: int) -> None:
    for root, folders, files in os.walk(folder):
        for name in (".", *folders, *files):
            os.chown(Path(root, name), user, user, follow_symlinks=False)


@contextmanager
def _staged(job: Job, user: int | None) -> Iterator[dict[Path, Path]]:
    """Yield path inside -> path outside of what *job* may read; what is ours alone is copied for another *user*."""
    with tempfile.TemporaryDirectory(prefix="reflact-sandbox-") as folder:
        seen: dict[Path, Path] = {}
        for number, given in enumerate(job.readable):
            path = given.resolve()
            seen[path] = path if user is None or _for_all(path) else _copied(path, Path(folder, str(number)))
        yield seen


def _for_all(path: Path) -> bool:
    """Return whether anybody may read *path*; of a folder only the folder itself is looked at."""
    mode = path.stat().st_mode
    wanted = stat.S_IROTH | (stat.S_IXOTH if stat.S_ISDIR(mode) else 0)
    return mode & wanted == wanted


def _copied(path: Path, to: Path) -> Path:
    if path.is_dir():
        shutil.copytree(path, to, symlinks=True)
        for root, folders, files in os.walk(to):
            Path(root).chmod(0o755)
            for name in (*folders, *files):
                Path(root, name).chmod(0o755, follow_symlinks=True)
    else:
        shutil.copyfile(path, to)
        to.chmod(0o755)
    return to

"""Confinement by a container of Docker's, for systems without bubblewrap or images with what a program needs."""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import uuid4

from reflact.agents.process import Command, run
from reflact.kit.sandbox.ending import ran
from reflact.kit.sandbox.job import Job, Ran
from reflact.kit.sandbox.surroundings import environment

START_S = 30.0
"""What starting a container may take on top of the job's own time."""


@dataclass(frozen=True, slots=True)
class Docker:
    """Runs programs in a fresh container of `image`, with the command at `program`."""

    program: Path
    image: str

    @property
    def name(self) -> str:
        """What it is."""
        return "docker"

    def run(self, job: Job) -> Ran:
        """Run *job* in a container of its own, which is gone afterwards."""
        job = replace(job, work=job.work.resolve())
        container = f"reflact-{uuid4().hex[:12]}"
        try:
            ended = run(
                Command(
                    argv=(str(self.program), *self.words(job, container)),
                    cwd=job.work,
                    environment={"PATH": os.defpath, "HOME": str(job.work)},
                    timeout_s=job.limits.seconds + START_S,
                    stdin=None if job.stdin is None else job.stdin.encode(),
                    grace_s=0.0,
                    keep=job.limits.output_kb * 1024,
                    isolate=False,
                )
            )
        finally:
            with suppress(OSError, subprocess.TimeoutExpired):
                removal = [str(self.program), "rm", "--force", container]
                subprocess.run(removal, capture_output=True, timeout=START_S, check=False)
        return ran(job, ended)

    def words(self, job: Job, container: str) -> tuple[str, ...]:
        """Return what follows `docker` to run *job*."""
        limits = job.limits
        given = environment(job)
        return (
            *("run", "--rm", "--name", container, "--network", "none", "--read-only", "--cap-drop", "ALL"),
            *("--security-opt", "no-new-privileges", "--user", f"{os.getuid()}:{os.getgid()}", "--init"),
            *("--memory", f"{limits.memory_mb}m", "--memory-swap", f"{limits.memory_mb}m"),
            *("--pids-limit", str(limits.processes), "--ulimit", f"cpu={limits.cpu_s}"),
            *("--ulimit", f"fsize={limits.file_mb * 1024 * 1024}", "--ulimit", f"nofile={limits.files}"),
            *("--tmpfs", f"/tmp:size={limits.disk_mb}m", "--workdir", str(job.work)),
            *("--stop-timeout", "0", *(("--interactive",) if job.stdin is not None else ())),
            *(word for name, value in given.items() if name != "PATH" for word in ("--env", f"{name}={value}")),
            *(word for path in job.readable for word in ("--volume", f"{path.resolve()}:{path.resolve()}:ro")),
            *("--volume", f"{job.work}:{job.work}", self.image),
            *("timeout", "--signal=KILL", str(limits.seconds), *job.argv),
        )

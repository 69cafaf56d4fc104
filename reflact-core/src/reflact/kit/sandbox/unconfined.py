"""No confinement: limits and a clean environment, but all of the disk and the network. Only where it is asked for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from uuid import uuid4

from reflact.agents.private import MARKER
from reflact.agents.process import Command, run
from reflact.kit.sandbox.ending import ran
from reflact.kit.sandbox.job import Job, Ran
from reflact.kit.sandbox.surroundings import bounded, environment
from reflact.kit.sandbox.watch import Watch


@dataclass(frozen=True, slots=True)
class Unconfined:
    """Runs programs as they are."""

    @property
    def name(self) -> str:
        """What it is."""
        return "none"

    def run(self, job: Job) -> Ran:
        """Run *job*; its processes are found and killed afterwards, those that left it too."""
        job = replace(job, work=job.work.resolve())
        ended = run(
            Command(
                argv=("/usr/bin/env", *bounded(job.limits, processes=False), *job.argv),
                cwd=job.work,
                environment={**environment(job), MARKER: f"sandbox-{uuid4().hex}"},
                timeout_s=job.limits.seconds,
                stdin=None if job.stdin is None else job.stdin.encode(),
                grace_s=0.0,
                keep=job.limits.output_kb * 1024,
                watch=Watch(job.limits, job.work),
            )
        )
        return ran(job, ended)

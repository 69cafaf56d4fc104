"""From the end of a command to the words for it."""

from __future__ import annotations

import signal

from reflact.agents.process import Ended
from reflact.kit.sandbox.job import Job, Ran

_SIGNALS = {
    signal.SIGXCPU: "more than {cpu_s} s of processor time",
    signal.SIGXFSZ: "a file of more than {file_mb} MB",
    signal.SIGKILL: "killed",
    signal.SIGSEGV: "crashed (segmentation fault)",
    signal.SIGABRT: "crashed (aborted)",
}


def ran(job: Job, ended: Ended) -> Ran:
    """Return how *job* ended, with the reason in words."""
    return Ran(
        exit_code=ended.exit_code,
        stdout=ended.stdout.decode("utf-8", "replace"),
        stderr=ended.stderr.decode("utf-8", "replace"),
        reason=_reason(job, ended),
        seconds=ended.seconds,
    )


def _reason(job: Job, ended: Ended) -> str:
    if ended.stopped:
        return ended.stopped
    if ended.timed_out:
        return f"not done within {job.limits.seconds:g} s"
    number = -ended.exit_code if ended.exit_code < 0 else ended.exit_code - 128
    if number in _SIGNALS:
        told = _SIGNALS[signal.Signals(number)]
        return told.format(cpu_s=job.limits.cpu_s, file_mb=job.limits.file_mb)
    return f"exit code {ended.exit_code}" if ended.exit_code else ""

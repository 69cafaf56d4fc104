"""Running a command to its end: one deadline, bounded output, and no process left behind."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from reflact.agents.capture import Capture
from reflact.agents.isolation import prefix
from reflact.agents.pipes import Pipes
from reflact.agents.private import MARKER
from reflact.agents.sweep import Seen, descendants, sweep
from reflact.errors import BackendError, BackendFault

KEEP = 32 * 1024 * 1024
"""Bytes of standard output and of standard error that are kept, each."""
DRAIN_S = 2.0
WATCH_S = 0.1
"""How often a command that is watched is looked at."""
WAITS_S = (0.1, 0.4)
"""Pauses before a command that could not be started is started again."""
_BUSY = frozenset({errno.EAGAIN, errno.ENOMEM, errno.ETXTBSY, errno.EMFILE, errno.ENFILE})
_WRAPPER_FAILED = (b"unshare:", b"setpriv:")


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What to run. `argv[0]` is the path of a program; without `stdin` there is nothing to read."""

    argv: tuple[str, ...]
    cwd: Path
    environment: Mapping[str, str]
    timeout_s: float
    stdin: bytes | None = None
    grace_s: float = 3.0
    """Seconds between being asked to end and being killed."""
    keep: int = KEEP
    isolate: bool = True
    """Whether the command gets process ids of its own, where the system can do that."""
    watch: Callable[[int], str] = lambda pid: ""
    """Looks at the process with this id every now and then; what it says is the reason to kill the command."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a command ended. An `exit_code` of -n or 128 + n tells of signal n."""

    exit_code: int
    stdout: bytes
    stderr: bytes
    timed_out: bool
    seconds: float
    stopped: str = ""
    """Why `watch` had it killed."""


def run(command: Command) -> Ended:
    """Run *command* and wait until it, and all it has started, is gone; for at most `timeout_s` and a grace.

    Raises `BackendError` (bad_request) for a program that is not there or cannot be run, and (unavailable) when the
    system is too busy to start it, also after a few tries.
    """
    program = Path(command.argv[0])
    if not program.is_file() or not os.access(program, os.X_OK):
        raise BackendError(f"{program} cannot be run: it is no executable file.", fault="bad_request")
    for wait_s in (*WAITS_S, None):
        try:
            ended = _once(command)
        except OSError as error:
            if error.errno not in _BUSY or wait_s is None:
                fault: BackendFault = "unavailable" if error.errno in _BUSY else "bad_request"
                raise BackendError(f"{program} cannot be started: {error.strerror}", fault=fault) from error
        else:
            if wait_s is None or not (ended.exit_code and ended.stderr.startswith(_WRAPPER_FAILED)):
                return ended
        time.sleep(wait_s)
    raise AssertionError("unreachable")


def _once(command: Command) -> Ended:
    started = time.monotonic()
    marker = command.environment.get(MARKER, "")
    process = subprocess.Popen(
        [*(prefix() if command.isolate else ()), *command.argv],
        cwd=command.cwd,
        env=dict(command.environment),
        stdin=subprocess.DEVNULL if command.stdin is None else subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    out, err = Capture(command.keep), Capture(command.keep)
    try:
        with Pipes(process, command.stdin or b"", {process.stdout: out, process.stderr: err}) as pipes:
            in_time, stopped = _watched(pipes, process, started + command.timeout_s, command.watch)
            family = frozenset[Seen]()
            if not in_time and not stopped:
                family = descendants(process.pid)
                _signal(process, signal.SIGTERM)
                pipes.until(process, time.monotonic() + command.grace_s)
            _end(process, marker, family)
            pipes.drain(time.monotonic() + DRAIN_S)
    except BaseException:
        _end(process, marker, descendants(process.pid))
        raise
    return Ended(
        exit_code=process.returncode,
        stdout=out.value,
        stderr=err.value,
        timed_out=not in_time and not stopped,
        seconds=time.monotonic() - started,
        stopped=stopped,
    )


def _watched(
    pipes: Pipes, process: subprocess.Popen[bytes], deadline: float, watch: Callable[[int], str]
) -> tuple[bool, str]:
    """Wait for *process*; return whether it has ended before the *deadline*, and why *watch* wants it killed."""
    while time.monotonic() < deadline:
        if pipes.until(process, min(deadline, time.monotonic() + WATCH_S)):
            return True, ""
        if stopped := watch(process.pid):
            return False, stopped
    return process.poll() is not None, ""


def _end(process: subprocess.Popen[bytes], marker: str, family: frozenset[Seen]) -> None:
    """Kill *process*, its *family* and whatever else it has left behind, and reap it."""
    if process.poll() is None:
        family |= descendants(process.pid)
        _signal(process, signal.SIGKILL)
        process.wait()
    sweep(marker, family)


def _signal(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """Send a signal to the whole group of *process*, which outlives its leader as long as it has a member."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)

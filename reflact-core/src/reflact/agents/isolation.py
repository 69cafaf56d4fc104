"""What to put in front of a command so that its whole tree dies with it, and with us; probed once."""

from __future__ import annotations

import subprocess
from functools import cache

_DIES_WITH_US = ("setpriv", "--pdeathsig", "KILL")
_OWN_PIDS = ("unshare", "--pid", "--fork", "--kill-child=SIGKILL", "--mount-proc", "--")
_FIRST = ("/bin/sh", "-c", '"$@"; exit $?', "sh")
"""Comes first in a PID namespace, in place of the program: a first process is not ended by a signal it ignores."""
_CANDIDATES = ((*_DIES_WITH_US, *_OWN_PIDS, *_FIRST), (*_OWN_PIDS, *_FIRST), (*_DIES_WITH_US, "--"))


@cache
def prefix() -> tuple[str, ...]:
    """Return the words of the strongest isolation that works here: a PID namespace, or nothing where none does."""
    return next((words for words in _CANDIDATES if _works(words)), ())


def _works(words: tuple[str, ...]) -> bool:
    try:
        done = subprocess.run([*words, "true"], capture_output=True, stdin=subprocess.DEVNULL, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0

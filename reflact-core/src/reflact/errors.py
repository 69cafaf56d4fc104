"""The error tree. A message says what is wrong, where, and what to do; the CLI exits with `exit_code`.

ReflactError
├── ConfigError     2  a key, a value, a flag, a file the user names
│   └── DataError   2  a record, a split, a data folder
├── PluginError     3  a plugin that cannot be loaded or registered
├── BackendError    4  a model call that did not give a reply
└── RunError        5  a run that cannot start, go on or be resumed
"""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Literal

BackendFault = Literal["auth", "quota", "rate_limit", "unavailable", "timeout", "bad_request", "context", "protocol"]

FATAL: frozenset[BackendFault] = frozenset({"auth", "quota"})
"""Faults no later call can escape: the run stops at the first one."""


class ReflactError(Exception):
    """Anything the user can mend; shown without a traceback."""

    exit_code = 1


class ConfigError(ReflactError):
    """The configuration cannot be used as written."""

    exit_code = 2


class DataError(ConfigError):
    """The data cannot be used as they lie there."""


class PluginError(ReflactError):
    """A plugin is announced but cannot be used."""

    exit_code = 3


class BackendError(ReflactError):
    """A model call gave no reply. `fault` says of which kind; never to be scored as a wrong answer."""

    exit_code = 4

    def __init__(self, message: str, *, fault: BackendFault = "unavailable") -> None:
        super().__init__(message)
        self.fault: BackendFault = fault

    @property
    def fatal(self) -> bool:
        """True when no later call can succeed either (bad key, exhausted quota)."""
        return self.fault in FATAL


class RunError(ReflactError):
    """The run folder, or the run itself, is in a state that needs the user."""

    exit_code = 5


def unknown(what: str, given: str, known: Iterable[str]) -> str:
    """Return `unknown WHAT 'given'.` with the nearest known name, or with all of them."""
    names = sorted(known)
    close = get_close_matches(given, names, n=1)
    hint = f" Did you mean {close[0]!r}?" if close else f" Known: {', '.join(names) or 'none'}."
    return f"unknown {what} {given!r}.{hint}"

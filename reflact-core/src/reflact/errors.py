"""The error tree. A message says what is wrong, where, and what to do; the CLI exits with `exit_code`.

ReflactError
├── ConfigError     2  a key, a value, a flag, a file the user names
│   └── DataError   2  a record, a split, a data folder
├── PluginError     3  a plugin that cannot be loaded or registered
├── BackendError    4  a model call that did not give a reply
└── RunError        5  a run that cannot start, go on or be resumed
    └── BudgetError 6  a run that has spent what the user allows; it goes on when more is allowed
"""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Literal

BackendFault = Literal["auth", "quota", "rate_limit", "unavailable", "timeout", "bad_request", "context", "protocol"]

FATAL: frozenset[BackendFault] = frozenset({"auth", "quota"})
"""Faults no later call can escape: the run stops at the first one."""

PASSING: frozenset[BackendFault] = frozenset({"rate_limit", "unavailable", "timeout"})
"""Faults that the same call, made again a little later, may not meet."""


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
    """A model call gave no reply. `fault` says of which kind; never to be scored as a wrong answer.

    `retry_after_s` is how long the server asked to be left alone, in seconds; `None` when it did not say.
    """

    exit_code = 4

    def __init__(
        self, message: str, *, fault: BackendFault = "unavailable", retry_after_s: float | None = None
    ) -> None:
        super().__init__(message)
        self.fault: BackendFault = fault
        self.retry_after_s = retry_after_s

    @property
    def fatal(self) -> bool:
        """True when no later call can succeed either (bad key, exhausted quota)."""
        return self.fault in FATAL

    @property
    def passing(self) -> bool:
        """True when the same call may succeed a little later."""
        return self.fault in PASSING


class RunError(ReflactError):
    """The run folder, or the run itself, is in a state that needs the user."""

    exit_code = 5


class BudgetError(RunError):
    """The run has spent what its budget allows. What is done is kept, and goes on under a larger budget.

    `key` is the dotted key of the bound that was reached, such as `budget.teacher.usd`.
    """

    exit_code = 6

    def __init__(self, message: str, *, key: str = "budget") -> None:
        super().__init__(message)
        self.key = key


def unknown(what: str, given: str, known: Iterable[str]) -> str:
    """Return `unknown WHAT 'given'.` with the nearest known name, or with all of them."""
    names = sorted(known)
    close = get_close_matches(given, names, n=1)
    hint = f" Did you mean {close[0]!r}?" if close else f" Known: {', '.join(names) or 'none'}."
    return f"unknown {what} {given!r}.{hint}"

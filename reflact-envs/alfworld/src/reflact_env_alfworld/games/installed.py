"""Whether the libraries that play the games are there, and what to do when they are not."""

import subprocess
from importlib.util import find_spec

from reflact import DataError

PACKAGES = (
    "textworld",
    "alfworld",
    "fast_downward",
    "tatsu",
    "numpy",
    "networkx",
    "more_itertools",
    "mementos",
    "tqdm",
    "termcolor",
)
"""What is imported on the way to a game; jericho, for games of another kind, is not."""
PIP = 'pip install "reflact-env-alfworld[games]"'
_LOOK = f"from importlib.util import find_spec as f; print(*[n for n in {PACKAGES!r} if f(n) is None])"
_PATIENCE_S = 60.0


def missing_games(python: str = "") -> tuple[str, ...]:
    """Return the packages that playing needs and *python*, or this interpreter, lacks; nothing is imported.

    Raises `DataError` when *python* cannot be run.
    """
    if not python:
        return tuple(name for name in PACKAGES if find_spec(name) is None)
    try:
        command = [python, "-P", "-c", _LOOK]
        told = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_PATIENCE_S)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise DataError(f"env.python {python}: cannot be run: {error}") from error
    if told.returncode:
        raise DataError(f"env.python {python}: is no Python 3.11 or newer: {told.stderr.strip()[-300:]}")
    return tuple(told.stdout.split())


def require_games(python: str = "") -> None:
    """Raise `DataError`, with what to install, when a package is missing that plays the games."""
    missing = missing_games(python)
    if missing:
        where = f"in env.python {python}" if python else "here"
        raise DataError(
            f"alfworld games are played by TextWorld, of which {', '.join(missing)} is missing {where}: {PIP} "
            "(Linux and macOS; some parts are GPL and compiled on installation), or set env.python to an interpreter "
            "that has it"
        )

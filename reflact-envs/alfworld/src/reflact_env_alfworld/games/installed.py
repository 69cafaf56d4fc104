"""Whether the libraries that play the games are there, and what to do when they are not."""

from importlib.util import find_spec

from reflact import DataError

PACKAGES = ("textworld", "alfworld", "fast_downward", "tatsu")
PIP = 'pip install "reflact-env-alfworld[games]"'


def missing_games() -> tuple[str, ...]:
    """Return the packages that playing needs and this interpreter lacks; nothing is imported."""
    return tuple(name for name in PACKAGES if find_spec(name) is None)


def require_games() -> None:
    """Raise `DataError`, with what to install, when a package is missing that plays the games."""
    missing = missing_games()
    if missing:
        raise DataError(
            f"alfworld games are played by TextWorld, of which {', '.join(missing)} is missing here: {PIP} "
            "(Linux and macOS; some parts are GPL and compiled on installation), or set env.python to an interpreter "
            "that has it"
        )

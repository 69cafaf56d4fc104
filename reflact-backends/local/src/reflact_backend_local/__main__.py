"""`python -m reflact_backend_local fetch | path | verify | about`: the weights, on the command line."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

from reflact.errors import ReflactError

from reflact_backend_local import client
from reflact_backend_local.catalog import CATALOG, DEFAULT


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m reflact_backend_local", description=__doc__)
    parser.add_argument("command", choices=["fetch", "path", "verify", "about"])
    parser.add_argument("model", nargs="?", default=DEFAULT, choices=sorted(CATALOG), help=f"default: {DEFAULT}")
    asked = parser.parse_args(argv)
    try:
        return COMMANDS[asked.command](asked.model)
    except ReflactError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code


def _fetch(model: str) -> int:
    print(client.describe(model), file=sys.stderr)
    start = time.monotonic()
    return _report(client.fetch(model, progress=_Line().show), start)


def _verify(model: str) -> int:
    start = time.monotonic()
    return _report(client.verify(model, progress=_Line().show), start)


def _report(file: Path, start: float) -> int:
    print(f"{file.stat().st_size / 1e6:.0f} MB, SHA-256 as pinned, {time.monotonic() - start:.1f} s", file=sys.stderr)
    print(file)
    return 0


def _path(model: str) -> int:
    file = client.cache() / client.named(model).filename
    print(file)
    return 0 if file.is_file() else 1


def _about(model: str) -> int:
    print(client.describe(model), files(__package__).joinpath("NOTICE").read_text(encoding="utf-8"), sep="\n\n", end="")
    return 0


COMMANDS: dict[str, Callable[[str], int]] = {"fetch": _fetch, "path": _path, "verify": _verify, "about": _about}


class _Line:
    """Shows progress on standard error: one changing line on a terminal, else a line every ten per cent."""

    def __init__(self) -> None:
        self._shown = ("", -1)

    def show(self, what: str, done: int, total: int) -> None:
        step = 1 if sys.stderr.isatty() else 10
        percent = 100 * done // max(total, 1) // step * step
        if (what, percent) == self._shown:
            return
        self._shown = (what, percent)
        start, end = ("\r", "\n" if percent >= 100 else "") if step == 1 else ("", "\n")
        print(f"{start}{what} {done / 1e6:.0f} of {total / 1e6:.0f} MB", end=end, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())

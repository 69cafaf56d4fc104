"""The screen that is a pipe or a file: one line per finished stage, flushed, without control characters."""

import time
from collections.abc import Callable

import click

from reflact_cli.report.numbers import duration
from reflact_cli.screen.printable import printable


class Plain:
    """Writes whole lines, to standard output unless *write* says otherwise."""

    def __init__(self, write: Callable[[str], None] = click.echo) -> None:
        self._write = write
        self._stage = ""
        self._total = 0
        self._done = 0
        self._began = 0.0

    def begin(self, stage: str, total: int) -> None:
        """Remember what has begun."""
        self._stage, self._total, self._done, self._began = stage, total, 0, time.monotonic()

    def advance(self) -> None:
        """Count."""
        self._done += 1

    def end(self) -> None:
        """Write how much of the stage was done, in how long."""
        took = duration(time.monotonic() - self._began)
        self._write(f"  {self._stage}: {self._done} of {self._total} in {took}")

    def line(self, text: str, style: str = "") -> None:
        """Write *text*; a pipe has no *style*."""
        self._write(printable(text))

    def close(self) -> None:
        """Nothing is left open."""

"""What a run is shown on, and which kind of it there is."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from reflact.engine.progress import Progress

from reflact_cli.screen.plain import Plain


class Screen(Progress, Protocol):
    """Shows the progress of a stage and the lines of a run, in one place."""

    def line(self, text: str, style: str = "") -> None:
        """Show *text*; *style* is a colour, where there are colours."""

    def close(self) -> None:
        """Give back the terminal."""


@contextmanager
def opened() -> Iterator[Screen]:
    """Yield the screen that standard output is good for."""
    screen = _screen()
    try:
        yield screen
    finally:
        screen.close()


def _screen() -> Screen:
    if sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
        from reflact_cli.screen.live import Live

        return Live()
    return Plain()

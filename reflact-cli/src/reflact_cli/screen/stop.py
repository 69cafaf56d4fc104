"""Ctrl-C: the first one lets the calls under way come in, the second one does not wait."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import click
from reflact.errors import ReflactError

WAITING = "stopping: the calls under way may come in; press Ctrl-C again to stop at once"
SHOW_CURSOR = "\x1b[?25h"
STOPPED = 130


class Stopped(ReflactError):
    """The user stopped a run."""

    exit_code = STOPPED


@contextmanager
def stoppable(message: Callable[[], str]) -> Iterator[None]:
    """Turn a Ctrl-C in the block into `Stopped` with *message*; a second one ends the process with it."""
    pressed: list[int] = []

    def interrupt(number: int, frame: FrameType | None) -> None:
        pressed.append(number)
        if len(pressed) > 1:
            os.write(2, f"{SHOW_CURSOR if os.isatty(2) else ''}{message()}\n".encode())
            os._exit(STOPPED)
        click.echo(WAITING, err=True)
        raise KeyboardInterrupt

    in_charge = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, interrupt) if in_charge else None
    try:
        yield
    except KeyboardInterrupt:
        raise Stopped(message()) from None
    finally:
        if in_charge:
            signal.signal(signal.SIGINT, before)

"""Feeding a process and collecting what it prints, without ever waiting for one pipe alone."""

from __future__ import annotations

import os
import selectors
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import IO

from reflact.agents.capture import Capture

POLL_S = 0.05
CHUNK = 65536


class Pipes:
    """The pipes of a process, until the block ends: then they are closed, whoever else holds them."""

    def __init__(self, process: subprocess.Popen[bytes], feed: bytes, into: Mapping[IO[bytes] | None, Capture]) -> None:
        self._feed = memoryview(feed)
        self._stdin = process.stdin
        self._into = {pipe: capture for pipe, capture in into.items() if pipe is not None}
        self._selector = selectors.DefaultSelector()
        for pipe in self._into:
            os.set_blocking(pipe.fileno(), False)
            self._selector.register(pipe, selectors.EVENT_READ)
        if self._stdin is not None:
            os.set_blocking(self._stdin.fileno(), False)
            self._selector.register(self._stdin, selectors.EVENT_WRITE)

    def __enter__(self) -> Pipes:
        return self

    def __exit__(self, *_: object) -> None:
        for key in list(self._selector.get_map().values()):
            self._close(key.fileobj)  # type: ignore[arg-type]
        self._selector.close()

    def until(self, process: subprocess.Popen[bytes], deadline: float) -> bool:
        """Move bytes until *process* has ended; False when the *deadline* (monotonic seconds) came first."""
        while process.poll() is None:
            if time.monotonic() >= deadline:
                return False
            self._move(min(POLL_S, max(0.0, deadline - time.monotonic())))
        return True

    def drain(self, deadline: float) -> None:
        """Collect what is left, until every writer has closed its end or the *deadline* is there."""
        while self._reading() and time.monotonic() < deadline:
            self._move(POLL_S)

    def _reading(self) -> bool:
        return any(key.fileobj in self._into for key in self._selector.get_map().values())

    def _move(self, wait_s: float) -> None:
        if not self._selector.get_map():
            time.sleep(wait_s)
            return
        for key, _ in self._selector.select(wait_s):
            if key.fileobj is self._stdin:
                self._write()
                continue
            chunk = os.read(key.fd, CHUNK)
            if chunk:
                self._into[key.fileobj].add(chunk)  # type: ignore[index]
            else:
                self._close(key.fileobj)  # type: ignore[arg-type]

    def _write(self) -> None:
        assert self._stdin is not None
        try:
            self._feed = self._feed[os.write(self._stdin.fileno(), self._feed[:CHUNK]) :] if self._feed else self._feed
        except BrokenPipeError:
            self._feed = memoryview(b"")
        if not self._feed:
            self._close(self._stdin)

    def _close(self, pipe: IO[bytes]) -> None:
        self._selector.unregister(pipe)
        with suppress(OSError):
            pipe.close()

"""How the engine tells a terminal how far a stage is. Not a plugin: whoever starts a run may pass one."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Progress(Protocol):
    """Hears of item-level progress, from the engine's own thread."""

    def begin(self, stage: str, total: int) -> None:
        """A stage with *total* model tasks begins."""

    def advance(self) -> None:
        """One of them is done."""

    def end(self) -> None:
        """The stage is over, whatever became of it."""


class Silent:
    """Progress nobody looks at."""

    def begin(self, stage: str, total: int) -> None:
        """Ignore."""

    def advance(self) -> None:
        """Ignore."""

    def end(self) -> None:
        """Ignore."""


@contextmanager
def shown(progress: Progress, stage: str, total: int) -> Iterator[None]:
    """Tell *progress* that *stage* begins, and that it is over however the block ends."""
    progress.begin(stage, total)
    try:
        yield
    finally:
        progress.end()

"""A game as the episode sees it, whoever plays it: a process with TextWorld, or a test."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from reflact.types import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What a player sees after a step, and whether the game is won, or over."""

    text: str
    commands: Sequence[str]
    won: bool = False
    done: bool = False

    @property
    def over(self) -> bool:
        """True when no step can follow."""
        return self.won or self.done


class GameFault(Exception):
    """A game that crashed or hung: nobody's failure but its own. `outcome` is that of the task it ends."""

    def __init__(self, message: str, *, outcome: Outcome = "infra_error") -> None:
        super().__init__(message)
        self.outcome: Outcome = outcome


class Game(Protocol):
    """One game at a time. Every method may raise `GameFault`."""

    def load(self, gamefile: Path) -> View:
        """Begin the game in *gamefile*, and return the first view."""

    def step(self, command: str) -> View:
        """Do *command*; one that cannot be done changes nothing, and the view says so."""


class Games(Protocol):
    """Lends games to threads, each its own."""

    def lend(self) -> AbstractContextManager[Game]:
        """Return a game for the time of a `with` block."""

    def close(self) -> None:
        """End all games that are not lent; those that are end with their block."""

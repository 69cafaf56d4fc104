"""Games of pure Python in files like the real ones, so that all but TextWorld itself is tested everywhere."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from reflact import Task
from reflact_env_alfworld.config import AlfworldConfig
from reflact_env_alfworld.env import Alfworld
from reflact_env_alfworld.game import GameFault, View

PLAN = ("go to desk 1", "take mug 1 from desk 1", "go to shelf 1", "move mug 1 to shelf 1")
NATIVE = {"train": 4, "valid_seen": 2, "valid_unseen": 2}


@dataclass
class Tale:
    """A game that is won by the commands of its file, in order; others change nothing."""

    crash_at: int = 0
    meet: Barrier | None = None
    done: list[str] = field(default_factory=list)
    plan: tuple[str, ...] = ()
    at: int = 0

    def load(self, gamefile: Path) -> View:
        content = json.loads(gamefile.read_text(encoding="utf-8"))
        self.plan, self.at, self.crash_at = tuple(content["walkthrough"]), 0, content.get("crash_at", 0)
        return self._view(f"You are in the middle of a room.\n\nYour task is to: {content['goal']}.")

    def step(self, command: str) -> View:
        self.done.append(command)
        if self.crash_at and len(self.done) >= self.crash_at:
            raise GameFault("the game's process ended by signal 11")
        if self.meet is not None and len(self.done) == 1:
            self.meet.wait(timeout=20)
        right = self.at < len(self.plan) and command == self.plan[self.at]
        self.at += right
        return self._view(f"You do it: {command}." if right else "Nothing happens.")

    def _view(self, text: str) -> View:
        won = self.at == len(self.plan)
        return View(text=text, commands=[*PLAN, "help", "inventory", "look"], won=won, done=won)


@dataclass
class Tales:
    """Lends tales, and remembers them."""

    meet: Barrier | None = None
    lent: list[Tale] = field(default_factory=list)
    closed: int = 0
    returned: int = 0

    @contextmanager
    def lend(self) -> Iterator[Tale]:
        tale = Tale(meet=self.meet)
        self.lent.append(tale)
        try:
            yield tale
        finally:
            self.returned += 1

    def close(self) -> None:
        self.closed += 1


def write_tale(root: Path, part: str, number: int, **more: Any) -> Path:
    kind = ("pick_and_place_simple", "pick_two_obj_and_place")[number % 2]
    folder = root / "json_2.1.1" / part / f"{kind}-Mug-None-Shelf-{number}" / f"trial_T{number}"
    folder.mkdir(parents=True)
    content = {"walkthrough": PLAN, "goal": f"put a mug on shelf {part} {number}", "solvable": True, **more}
    (folder / "game.tw-pddl").write_text(json.dumps(content), encoding="utf-8")
    return folder / "game.tw-pddl"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A data root with tales in all native splits."""
    for part, n in NATIVE.items():
        for number in range(n):
            write_tale(tmp_path / "data", part, number)
    return tmp_path / "data"


@pytest.fixture
def write() -> Callable[..., Path]:
    return write_tale


@pytest.fixture
def tales() -> Tales:
    return Tales()


@pytest.fixture
def build(root: Path, tales: Tales) -> Callable[..., Alfworld]:
    """Build the env over the tales, with settings."""
    return lambda **config: Alfworld(AlfworldConfig(**{"data_root": str(root), **config}), tales)


@pytest.fixture
def first() -> Callable[[Alfworld], Task]:
    return lambda env: env.tasks("train")[0]

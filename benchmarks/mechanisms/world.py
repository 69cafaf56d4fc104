"""A world of hidden rules whose true scores are known: what a skill says, and what it is worth."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import sha256
from pathlib import Path
from random import Random

from reflact import EnvSpec, Rollout, Skill, Split, Student, Task, hookimpl
from reflact.config import Config

from benchmarks.mechanisms.assumptions import Assumptions

IDEA = re.compile(r"(?:RULE|REMEMBER) [a-z]+|(?:IGNORE TRAP|TRAP|HINT) [a-z]+ \d")
FIRST = {"train": 1000, "val": 4000, "test": 7000}


def chance(*parts: object) -> Random:
    """Return a source of chance that is a function of *parts* alone."""
    return Random(sha256("\0".join(map(str, parts)).encode()).digest())


@dataclass(frozen=True)
class Document:
    """What a text in the language of this world says."""

    ideas: tuple[str, ...]

    @classmethod
    def read(cls, text: str) -> Document:
        """Return the ideas in *text*, in order; the rest of it means nothing here."""
        return cls(tuple(IDEA.findall(text)))

    @cached_property
    def rules(self) -> frozenset[str]:
        """The kinds whose rule is there."""
        return frozenset(idea[5:] for idea in self.ideas if idea.startswith("RULE "))

    @cached_property
    def traps(self) -> frozenset[str]:
        """The harmful rules that are followed: none of those it says to ignore."""
        found = {idea for idea in self.ideas if idea.startswith("TRAP ")}
        return frozenset(trap for trap in found if f"IGNORE {trap}" not in self.ideas)


@dataclass(frozen=True)
class Truth:
    """What is right in the world of *seed*."""

    seed: int
    given: Assumptions

    def harmed(self, trap: str) -> tuple[str, str]:
        """Return the kinds that a harmful rule spoils: its own, and another one."""
        own = trap.split()[1]
        return own, chance(self.seed, trap).choice([kind for kind in self.given.shares if kind != own])

    def right(self, kind: str, document: Document) -> float:
        """Return the chance (0..1) that the student does a task of *kind* right with *document*."""
        given = self.given
        if kind in document.rules:
            known = given.reminded if f"REMEMBER {kind}" in document.ideas else given.known
            p = known - given.line_cost * max(0, len(document.ideas) - given.easy_lines)
        else:
            p = given.unknown
        return max(given.floor, p - given.harm * sum(kind in self.harmed(trap) for trap in document.traps))

    def expected(self, skill: str) -> float:
        """Return the true score (0..1) of a skill over all tasks there could be: no sample, no chance."""
        document = Document.read(skill)
        return sum(share * self.right(kind, document) for kind, share in self.given.shares.items())


class WorldConfig(Config):
    """Section `env` of the world."""

    seed: int = 1
    train: int
    val: int
    test: int = 200
    lengthy: bool = False
    """Whether partial credit is the length of the skill: a gate that compares it lets everything in that adds text."""


@dataclass(frozen=True)
class World:
    """Tasks of a kind each. What is right is known to the student's script; the env compares answers."""

    given: Assumptions
    config: WorldConfig

    def tasks(self, split: Split) -> Sequence[Task]:
        """Return the tasks of *split*, kinds drawn by their shares."""
        n, shares = getattr(self.config, split), self.given.shares
        kinds = chance(self.config.seed, split).choices([*shares], [*shares.values()], k=n)
        numbers = range(FIRST[split], FIRST[split] + n)
        return [Task(id=f"t{at}", kind=kind, data={"n": at}) for at, kind in zip(numbers, kinds, strict=True)]

    def run(self, task: Task, *, skill: Skill, student: Student, workdir: Path) -> Rollout:
        """Ask and compare; what a diagnostic instruction brought stands in lines before the answer."""
        number = task.data["n"]
        question = f"task {number} of kind {task.kind}"
        said = student.answer(question, skill=skill, workdir=workdir).splitlines()[-1]
        right = float(said == f"done {number}")
        soft = min(1.0, len(skill.text) / 100_000) if self.config.lengthy else right
        expected = (f"done {number}",)
        return Rollout(task_id=task.id, hard=right, soft=soft, answer=said, question=question, expected=expected)


@dataclass(frozen=True, eq=False)
class WorldPlugin:
    """Registers the world."""

    given: Assumptions

    @hookimpl
    def reflact_envs(self) -> Iterable[EnvSpec]:
        """Return the env."""
        return [EnvSpec(name="hidden_rules", config=WorldConfig, build=partial(World, self.given))]

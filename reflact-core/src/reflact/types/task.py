"""What is trained on, and with what: skill, task, usage, rollout, score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Literal

Split = Literal["train", "val", "test"]
Outcome = Literal["ok", "empty", "truncated", "refused", "timeout", "infra_error", "judge_error", "ungraded"]

ERRORS: frozenset[Outcome] = frozenset({"timeout", "infra_error", "judge_error"})
"""Outcomes that say nothing about the student, which had no chance or no verdict: such tasks are tried again."""
UNSCORED: frozenset[Outcome] = ERRORS | {"ungraded"}
"""Outcomes that are left out of every score: the errors, and what was done without an answer to grade it by."""


@dataclass(frozen=True, slots=True)
class Skill:
    """The markdown document that is trained."""

    text: str

    @property
    def digest(self) -> str:
        """The first 16 hex digits of the SHA-256 of the text; a skill's identity."""
        return sha256(self.text.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One item of a benchmark. `data` is JSON that only the task's own env reads."""

    id: str
    kind: str = "default"
    data: Mapping[str, Any] = field(default_factory=dict)
    scorable: bool = True
    """False where the answer is withheld: the task can be done and its result handed in, but not scored here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What model calls took: number of calls and tokens. `cached` is part of `prompt`, `reasoning` of `completion`."""

    calls: int = 0
    prompt: int = 0
    cached: int = 0
    completion: int = 0
    reasoning: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            calls=self.calls + other.calls,
            prompt=self.prompt + other.prompt,
            cached=self.cached + other.cached,
            completion=self.completion + other.completion,
            reasoning=self.reasoning + other.reasoning,
        )


NOTHING = Usage()


def total_usage(usages: Iterable[Usage]) -> Usage:
    """Return the sum of *usages*."""
    return sum(usages, start=Usage())


@dataclass(frozen=True, slots=True, kw_only=True)
class Rollout:
    """What the student did on one task, and how good it was.

    `hard` is success (0 or 1), `soft` partial credit (0..1); both mean nothing when `outcome` is unscored.
    `expected` and `feedback` hold what the teacher may know and the student may not. `trace` is the conversation,
    one JSON object per message. The engine fills `kind`, `trace`, `usage`, `outcome` and `agent_dir` where an env
    leaves them out.
    """

    task_id: str
    hard: float
    soft: float
    kind: str = "default"
    answer: str = ""
    question: str = ""
    expected: tuple[str, ...] = ()
    feedback: str = ""
    trace: tuple[dict[str, Any], ...] = ()
    outcome: Outcome = "ok"
    usage: Usage = NOTHING
    error: str | None = None
    agent_dir: str = ""
    """Where a command-line agent worked, relative to the folder that holds the folder of every task."""
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def scored(self) -> bool:
        """False when infrastructure, not the student, is to blame, or there is no answer to grade by."""
        return self.outcome not in UNSCORED

    @property
    def errored(self) -> bool:
        """True when infrastructure is to blame, so that the task is worth another try."""
        return self.outcome in ERRORS

    @property
    def failed(self) -> bool:
        """True when the student had its chance and did not fully succeed."""
        return self.scored and self.hard < 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Means over the `n` scored items of a split. A curtailed score covers a prefix that already proves defeat."""

    hard: float
    soft: float
    n: int
    n_errors: int = 0
    n_right: int = 0
    curtailed: bool = False
    value: float = 0.0
    """What the gate compares: `hard`, `soft` or their mixture, as `evaluation.gate_metric` says."""
    items: Mapping[str, float] = field(default_factory=dict)
    """The same for each scored task, by id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A skill, its gate score and where it came from; the three never part."""

    skill: Skill
    score: float
    origin: str

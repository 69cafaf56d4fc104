"""What survives a step: digests, memory, the state of a run, the batch to come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from reflact.types.change import Edit, Failure
from reflact.types.task import Score, Scored, Task


@dataclass(frozen=True, slots=True, kw_only=True)
class StepDigest:
    """What later reflection should know of one step (an entry of the step buffer)."""

    step: int
    action: str
    n_total: int
    n_fail: int
    failure_patterns: tuple[Failure, ...] = ()
    score_before: float | None = None
    score_after: float | None = None
    rejected_edits: tuple[Edit, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """What the teacher carries from step to step: this epoch's digests, and its memory across epochs."""

    steps: tuple[StepDigest, ...] = ()
    meta_skill: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunState:
    """All that survives a step; what `runtime_state.json` holds."""

    step: int
    epoch: int
    current: Scored
    best: Scored
    best_step: int
    memory: Memory = Memory()
    scores: Mapping[str, Score] = field(default_factory=dict)
    """Selection scores by skill digest: a skill is never evaluated twice on the same items."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """The tasks of one step; one part per accumulated microbatch."""

    step: int
    epoch: int
    step_in_epoch: int
    parts: tuple[tuple[Task, ...], ...]
    seeds: tuple[int, ...]
    last_of_epoch: bool

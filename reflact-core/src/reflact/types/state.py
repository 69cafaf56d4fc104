"""What survives a step: digests, memory, the state of a run, the batch to come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from reflact.types.change import Failure
from reflact.types.task import Score, Scored, Skill, Task


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
    rejected_edits: tuple[Mapping[str, Any], ...] = ()
    """The items of a rejected candidate in short form, as `UpdateMode.brief` gives it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """What the teacher carries from step to step: this epoch's digests, and its memory across epochs."""

    steps: tuple[StepDigest, ...] = ()
    meta_skill: str = ""
    notes: tuple[str, ...] = ()
    """Execution notes that wait for a candidate to be accepted with."""
    meta_summary: str = ""
    """What meta reflect said of the epoch before; only meta reflect reads it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunState:
    """All that survives a step; what `runtime_state.json` holds."""

    step: int
    epoch: int
    current: Scored
    best: Scored
    best_step: int
    memory: Memory = Memory()
    closed: int = 0
    """The last epoch whose end is done too."""
    skill_file: str = "skills/skill_v0000.md"
    """Where the current skill lies, relative to the run's root."""
    previous: Skill | None = None
    """The skill the last closed epoch ended with."""
    previous_file: str = ""
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

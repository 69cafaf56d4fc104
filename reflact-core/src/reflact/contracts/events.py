"""What observers of a run are told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInfo:
    """A run that is about to start or go on."""

    out_root: Path
    env: str
    config: Mapping[str, Any]
    total_steps: int
    epochs: int
    sizes: Mapping[str, int]
    notes: tuple[str, ...] = ()
    """What the user should know before it starts: legacy spellings, settings that have no effect yet."""
    resumed_from: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StageDone:
    """A stage that has its result, made now or read from disk."""

    name: str
    step: int
    seconds: float
    artifact: Path
    from_disk: bool
    summary: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRecord:
    """A step that is over, as `history.json` holds it."""

    step: int
    epoch: int
    action: str
    record: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class EpochRecord:
    """An epoch that is over."""

    epoch: int
    accepts: int
    rejects: int
    skips: int
    current_score: float
    best_score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """A run that is over, as `summary.json` holds it; `error` says why it ended early."""

    out_root: Path
    values: Mapping[str, Any] = field(default_factory=dict)
    error: str | None = None

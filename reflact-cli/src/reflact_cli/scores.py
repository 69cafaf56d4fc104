"""The selection scores of a run in the metric of its gate, from its folder."""

from __future__ import annotations

from pathlib import Path

from reflact.store.run import open_store
from reflact.types import RunState


def baseline_score(out: Path, state: RunState | None = None) -> float | None:
    """Return the score of the skill the run in *out* began with; None before it is measured.

    *state* saves reading the run's state again.
    """
    store = open_store(out)
    known = state or store.load()
    if known is None:
        return None
    first = known.scores.get(store.skill(0).digest)
    return first.value if first else None


def current_score(out: Path) -> float | None:
    """Return the score of the current skill of the run in *out*; None before the baseline is measured."""
    state = open_store(out).load()
    return state.current.score if state else None

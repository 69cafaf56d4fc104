"""Two skills on the same tasks: what changed from one to the other, as a teacher reads it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from reflact.stages.trajectories import BUDGET, fit, line
from reflact.types import Rollout

Category = Literal["regressed", "persistent_fail", "improved", "stable_success"]
Policy = Literal["mixed", "changed", "unchanged"]

ORDER: tuple[Category, ...] = ("regressed", "persistent_fail", "improved", "stable_success")
"""Most urgent first: the order in which a teacher is shown the pairs."""
CHANGED: frozenset[Category] = frozenset({"regressed", "improved"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """How one of the two skills did on a task."""

    hard: float
    soft: float
    answer: str
    reason: str
    conversation: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One task under both skills."""

    id: str
    task: str
    category: Category
    prev: Side
    curr: Side


def compare(prev: Sequence[Rollout], curr: Sequence[Rollout], *, budget: int = BUDGET) -> tuple[Pair, ...]:
    """Return a pair for each task that was scored under both skills, in the order of *prev*.

    Their conversations share *budget* characters.
    """
    later = {one.task_id: one for one in curr if one.scored}
    both = [(one, later[one.task_id]) for one in prev if one.scored and one.task_id in later]
    share = budget // max(1, 2 * len(both))
    return tuple(
        Pair(
            id=before.task_id,
            task=before.question or before.task_id,
            category=_category(before, after),
            prev=_side(before, share),
            curr=_side(after, share),
        )
        for before, after in both
    )


def keep(pairs: Sequence[Pair], policy: Policy) -> tuple[Pair, ...]:
    """Return the pairs that *policy* shows: all, those whose result changed, or the others."""
    if policy == "mixed":
        return tuple(pairs)
    return tuple(one for one in pairs if (one.category in CHANGED) == (policy == "changed"))


def grouped(pairs: Sequence[Pair]) -> list[tuple[Category, list[Pair]]]:
    """Return the pairs by category, the most urgent first; empty categories are left out."""
    groups = ((name, [one for one in pairs if one.category == name]) for name in ORDER)
    return [(name, found) for name, found in groups if found]


def counts(pairs: Sequence[Pair]) -> dict[str, int]:
    """Return how many pairs each category has."""
    return {name: sum(one.category == name for one in pairs) for name in ORDER}


def listed(pairs: Sequence[Pair]) -> list[Mapping[str, Any]]:
    """Return *pairs* as `comparison_pairs.json` holds them, without conversations."""
    return [
        {
            "id": one.id,
            "task": one.task,
            "category": one.category,
            **{
                name: {
                    "hard": int(side.hard >= 1.0),
                    "soft": side.soft,
                    "predicted_answer": side.answer or "N/A",
                    "fail_reason": side.reason,
                }
                for name, side in (("prev", one.prev), ("curr", one.curr))
            },
        }
        for one in pairs
    ]


def _category(before: Rollout, after: Rollout) -> Category:
    if before.failed:
        return "persistent_fail" if after.failed else "improved"
    return "regressed" if after.failed else "stable_success"


def _side(rollout: Rollout, share: int) -> Side:
    return Side(
        hard=rollout.hard,
        soft=rollout.soft,
        answer=rollout.answer,
        reason=rollout.feedback if rollout.failed else "",
        conversation=fit("\n".join(map(line, rollout.trace)), share),
    )

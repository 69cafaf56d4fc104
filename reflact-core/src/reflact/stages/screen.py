"""Several candidates a step: try each on a few training tasks and take the most promising one to the gate."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from reflact.stages.provenance import without_provenance
from reflact.types import Proposal, Rollout, Task, Update


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """A candidate and how it did on the screen: `right` of `tried` tasks."""

    name: str
    update: Update
    chosen: Proposal
    right: float = 0.0
    tried: int = 0
    rollouts: tuple[Rollout, ...] = ()


def options(
    chosen: Proposal, proposals: Sequence[Proposal], *, limit: int, budget: int | None = None
) -> tuple[tuple[str, Proposal], ...]:
    """Return at most *limit* named proposals to make candidates of: the selected one, then single minibatches' own.

    A minibatch's proposal is cut to the *budget* of the step, as the selected one is. The best supported come first;
    equal sets of items appear once. A lone candidate is the selected one or none.
    """
    cut = (replace(one, items=one.items[:budget]) for one in proposals)
    singles = sorted(cut, key=lambda one: -one.batch_size) if limit > 1 else []
    seen: set[tuple[object, ...]] = set()
    found = []
    for name, one in (("selected", chosen), *((one.name, one) for one in singles)):
        key = tuple(without_provenance(item) for item in one.items)
        if one.items and key not in seen:
            seen.add(key)
            found.append((name, one))
    return tuple(found[:limit])


def screening_tasks(tasks: Sequence[Task], rollouts: Sequence[Rollout], *, size: int) -> tuple[Task, ...]:
    """Return up to *size* tasks to screen on: those the current skill failed, in batch order."""
    failed = {one.task_id for one in rollouts if one.failed}
    return tuple(task for task in tasks if task.id in failed)[:size]


def best(tried: Sequence[Option]) -> Option:
    """Return the option with the most right; of equals the earlier."""
    return max(tried, key=lambda option: option.right)

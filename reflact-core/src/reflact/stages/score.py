"""From rollouts to a score, and when a candidate can be given up for certain."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import fsum, sqrt
from statistics import stdev
from typing import Any

from reflact.errors import RunError
from reflact.stages.gate import STRICT, Rule
from reflact.types import Flips, Rollout, Score

DIGITS = 12
"""Means are rounded here, so that two equal scores never differ by the order of a sum."""


def mean(values: Iterable[float]) -> float:
    """Return the mean, independent of order; 0.0 of nothing."""
    numbers = list(values)
    return round(fsum(numbers) / len(numbers), DIGITS) if numbers else 0.0


def score(rollouts: Sequence[Rollout], *, rule: Rule = STRICT, curtailed: bool = False) -> Score:
    """Return the means over the scored tasks; of a task that was repeated, its own mean counts."""
    tries: dict[str, list[Rollout]] = {}
    for one in rollouts:
        tries.setdefault(one.task_id, []).extend([one] if one.scored else [])
    scored = {task_id: found for task_id, found in tries.items() if found}
    errored = {one.task_id for one in rollouts if one.errored}
    hard = {task_id: mean(one.hard for one in found) for task_id, found in scored.items()}
    soft = {task_id: mean(one.soft for one in found) for task_id, found in scored.items()}
    items = {task_id: _worth(hard[task_id], soft[task_id], rule) for task_id in scored}
    return Score(
        hard=mean(hard.values()),
        soft=mean(soft.values()),
        n=len(scored),
        n_errors=len(errored - scored.keys()),
        n_right=sum(value >= 1.0 for value in hard.values()),
        curtailed=curtailed,
        value=mean(items.values()),
        items=items,
    )


def endings(rollouts: Iterable[Rollout]) -> dict[str, int]:
    """Return how many of the scored rollouts ended otherwise than with a whole answer: `refused`, `truncated`, …"""
    return dict(sorted(Counter(one.outcome for one in rollouts if one.scored and one.outcome != "ok").items()))


def cannot_beat(prefix: Sequence[Rollout], *, total: int, bar: float, rule: Rule = STRICT) -> bool:
    """True when even full marks on all that is left of *total* tasks would not lift the mean above *bar*.

    A task that could not be scored counts as full marks too: whether or not another repeat scores it, the mean stays
    below that.
    """
    known = [_worth(mean([one.hard]), mean([one.soft]), rule) if one.scored else 1.0 for one in prefix]
    left = total - len(prefix)
    return mean([*known, *[1.0] * left]) <= bar


def _worth(hard: float, soft: float, rule: Rule) -> float:
    return round(rule.value(hard, soft), DIGITS)


def flips(before: Mapping[str, float], after: Mapping[str, float]) -> Flips:
    """Return how the tasks scored in both fared, with the normal 95 % interval of the mean paired difference."""
    pairs = [(before[task_id], value) for task_id, value in after.items() if task_id in before]
    gains = [new - old for old, new in pairs]
    spread = stdev(gains) / sqrt(len(gains)) if len(gains) > 1 else 0.0
    centre, half = mean(gains), 1.959963984540054 * spread
    return Flips(
        improved=sum(gain > 0 for gain in gains),
        regressed=sum(gain < 0 for gain in gains),
        unchanged=sum(gain == 0 for gain in gains),
        difference_95=(round(centre - half, 4), round(centre + half, 4)) if len(gains) > 1 else None,
    )


def refuse_outage(rollouts: Sequence[Rollout], *, total: int, limit: float, what: str) -> None:
    """Raise `RunError` with the first cause when more than *limit* of *total* tasks could not be scored."""
    errors = [one for one in rollouts if one.errored]
    if len(errors) > limit * total:
        first = errors[0]
        reasons = Counter(one.error for one in errors)
        same = f" (the same for {reasons[first.error]})" if reasons[first.error] > 1 else ""
        raise RunError(
            f"{what}: {len(errors)} of {total} tasks failed to run. First: {first.task_id}: {first.error}{same}. "
            "Nothing was scored wrong for it; mend the cause and resume the run."
        )


def by_kind(rollouts: Sequence[Rollout]) -> dict[str, dict[str, Any]]:
    """Return kind -> {total, hard_acc, soft} of the scored rollouts, and `overall`."""
    scored = [one for one in rollouts if one.scored]
    return {**_by((one.kind, one) for one in scored), "overall": _means(scored)}


def by_group(rollouts: Sequence[Rollout]) -> dict[str, dict[str, Any]]:
    """Return group -> value -> {total, hard_acc, soft} of the scored rollouts, as `groups` in their `extra` names them.

    An env says there by what else than the kind it is worth telling scores apart: `{"month": "202511"}`.
    """
    groups: dict[str, list[tuple[str, Rollout]]] = {}
    for one in rollouts:
        for group, value in dict(one.extra.get("groups") or {}).items() if one.scored else ():
            groups.setdefault(group, []).append((str(value), one))
    return {group: _by(members) for group, members in sorted(groups.items())}


def _by(members: Iterable[tuple[str, Rollout]]) -> dict[str, Any]:
    sorted_out: dict[str, list[Rollout]] = {}
    for value, one in members:
        sorted_out.setdefault(value, []).append(one)
    return {value: _means(group) for value, group in sorted(sorted_out.items())}


def _means(group: Sequence[Rollout]) -> dict[str, Any]:
    return {
        "total": len(group),
        "hard_acc": mean(one.hard for one in group),
        "soft": mean(one.soft for one in group),
    }


def interval(right: float, total: int) -> tuple[float, float]:
    """Return the 95 % Wilson score interval of *right* successes in *total* trials (Wilson 1927, JASA 22:209)."""
    if total == 0:
        return 0.0, 1.0
    z = 1.959963984540054
    share = right / total
    centre = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z * sqrt(share * (1 - share) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    return max(0.0, round(centre - half, 4)), min(1.0, round(centre + half, 4))

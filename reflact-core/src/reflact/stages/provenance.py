"""Where a merged item comes from: computed from the minibatches behind it, never taken from a model's claim."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

PROVENANCE = frozenset({"sources", "support_count", "source_type", "merge_level"})


def credit(item: Any, origins: Sequence[int], pool: Sequence[Any], sizes: Mapping[str, int], *, level: int) -> Any:
    """Return *item* with the sources, support and kind of those of *pool* it was made from.

    *origins* are positions the teacher named; those that do not exist are ignored. When none is left, the most
    similar item of the pool is taken. Support is the number of trajectories in the distinct minibatches behind it.
    """
    parents = [pool[index] for index in dict.fromkeys(origins) if 0 <= index < len(pool)] or _nearest(item, pool)
    sources = tuple(dict.fromkeys(source for parent in parents for source in parent.sources))
    kinds = {parent.source_type for parent in parents}
    return replace(
        item,
        sources=sources,
        support_count=sum(sizes.get(source, 0) for source in sources),
        source_type="failure" if "failure" in kinds or not kinds else "success",
        merge_level=level,
    )


def _nearest(item: Any, pool: Sequence[Any]) -> list[Any]:
    wanted = _trigrams(item)
    return [max(pool, key=lambda other: _alike(wanted, _trigrams(other)))] if pool else []


def _alike(left: frozenset[str], right: frozenset[str]) -> float:
    """Return the Jaccard index of two sets: 1 for equal ones, 0 for disjoint ones."""
    return len(left & right) / max(1, len(left | right))


def without_provenance(item: Any) -> tuple[Any, ...]:
    """Return what *item* says, without where it comes from: equal for two items that ask for the same."""
    return tuple(getattr(item, name) for name in item.__dataclass_fields__ if name not in PROVENANCE)


def _trigrams(item: Any) -> frozenset[str]:
    text = " ".join(map(str, without_provenance(item))).casefold()
    return frozenset(text[at : at + 3] for at in range(max(1, len(text) - 2)))

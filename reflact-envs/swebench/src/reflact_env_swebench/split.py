"""The benchmark's own deal: every split gets its share of each repository."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

from reflact import Split

T = TypeVar("T")


def stratified(
    items: Sequence[T], *, repo: Callable[[T], str], shares: tuple[int, int, int], seed: int
) -> dict[Split, tuple[T, ...]]:
    """Return *items* by split, dealt repository by repository in the order of their names.

    One `Random(seed)` shuffles each repository before it is cut, and `Random(seed + 1)` the three splits at the end.
    A split may stay empty when there are few items.
    """
    by_repo: defaultdict[str, list[T]] = defaultdict(list)
    for item in items:
        by_repo[repo(item)].append(item)
    dealt: dict[Split, list[T]] = {"train": [], "val": [], "test": []}
    random = Random(seed)
    for name in sorted(by_repo):
        own = by_repo[name]
        random.shuffle(own)
        train, val = sizes(len(own), shares)
        dealt["train"] += own[:train]
        dealt["val"] += own[train : train + val]
        dealt["test"] += own[train + val :]
    last = Random(seed + 1)
    for found in dealt.values():
        last.shuffle(found)
    return {split: tuple(found) for split, found in dealt.items()}


def sizes(total: int, shares: tuple[int, int, int]) -> tuple[int, int]:
    """Return how many of a repository's *total* items train and val get; test gets the rest, at least one.

    From three items on each split gets one; of two, train has one; a single one is for test.
    """
    if total < 3:
        return total - 1, 0
    train, val = (max(1, round(total * share / sum(shares))) for share in shares[:2])
    while train + val >= total:
        train, val = (train, val - 1) if val > 1 else (train - 1, val)
    return train, val

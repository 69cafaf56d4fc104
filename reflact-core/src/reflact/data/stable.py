"""Deal items by a hash of what they say: an item keeps its split however many others come or go."""

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import TypeVar

from reflact.data.ratio import SPLITS, Counts
from reflact.errors import DataError
from reflact.types import Split

T = TypeVar("T")
SPAN = 2**64


def deal_stable(
    items: Sequence[T], *, ratio: Counts, seed: int, identity: Callable[[T], str]
) -> Mapping[Split, tuple[T, ...]]:
    """Return *items* by split, in the order they came; items of one *identity* (content, or group) stay together.

    Each item is placed by itself, so sizes are only near the ratio. Raises `DataError` when a split stays empty:
    such a set is too small for this way, and filling it up would move items.
    """
    weight = sum(ratio.values())
    homes = [_home(identity(item), seed, ratio, weight) for item in items]
    empty = [split for split in SPLITS if split not in homes]
    if empty:
        raise DataError(
            f"split_method hash leaves {' and '.join(empty)} empty with {len(items)} items; add items, "
            "choose another env.split_seed, or use env.split_method=shuffle"
        )
    return {split: tuple(one for one, home in zip(items, homes, strict=True) if home == split) for split in SPLITS}


def _home(identity: str, seed: int, ratio: Counts, weight: int) -> Split:
    place = int.from_bytes(sha256(f"{seed}\0{identity}".encode()).digest()[:8], "big")
    bound = 0
    for split in SPLITS[:-1]:
        bound += ratio[split]
        if place * weight < bound * SPAN:
            return split
    return SPLITS[-1]

"""Deal items into train, val and test by a ratio: a pure function of the items, their order and a seed."""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from random import Random
from typing import TypeVar, get_args

from reflact.errors import DataError
from reflact.types import Split

T = TypeVar("T")
Counts = dict[Split, int]
SPLITS: tuple[Split, ...] = get_args(Split)


def counts(total: int, ratio: Counts) -> Counts:
    """Return how many of *total* items each split gets: largest remainder, ties to the larger weight, none empty.

    Raises `DataError` for fewer than three items.
    """
    if total < len(SPLITS):
        raise DataError(f"{total} items cannot make a train, a val and a test split; at least three are needed")
    weight = sum(ratio.values())
    shares = {split: total * ratio[split] // weight for split in SPLITS}
    rest = total - sum(shares.values())
    for split in sorted(SPLITS, key=lambda one: (total * ratio[one] % weight, ratio[one]), reverse=True)[:rest]:
        shares[split] += 1
    for split in SPLITS:
        if not shares[split]:
            shares[max(SPLITS, key=lambda one: shares[one])] -= 1
            shares[split] = 1
    return shares


def deal(
    items: Sequence[T],
    *,
    ratio: Counts,
    seed: int,
    group: Callable[[T], Hashable] | None = None,
    stratum: Callable[[T], str] | None = None,
) -> dict[Split, tuple[T, ...]]:
    """Return *items* by split, shuffled by `Random(seed)` from the order they came in.

    Items of one *group* stay together, so that sizes are only near the ratio; *stratum* spreads each stratum over the
    splits by the ratio. With neither, the shuffled items are cut into consecutive slices.
    Raises `DataError` when there are fewer than three items, or groups.
    """
    order = list(range(len(items)))
    Random(seed).shuffle(order)
    sizes = counts(len(items), ratio)
    units = _units(order, (lambda i: group(items[i])) if group else lambda i: i)
    if len(units) < len(SPLITS):
        raise DataError(f"{len(units)} groups cannot make three splits; at least three are needed")
    if stratum:
        ordered = sorted(units, key=lambda unit: stratum(items[unit[0]]))
    else:
        ordered = sorted(units, key=len, reverse=True) if group else units
    place = _spread(ordered, sizes, ratio, even=stratum is not None) if group or stratum else _slices(ordered, sizes)
    return {split: tuple(items[i] for i in order if place[i] == split) for split in SPLITS}


def _units(order: Sequence[int], key: Callable[[int], Hashable]) -> list[list[int]]:
    units: dict[Hashable, list[int]] = {}
    for index in order:
        units.setdefault(key(index), []).append(index)
    return list(units.values())


def _slices(units: Sequence[list[int]], sizes: Counts) -> dict[int, Split]:
    names = (split for split in SPLITS for _ in range(sizes[split]))
    return {unit[0]: split for unit, split in zip(units, names, strict=True)}


def _spread(units: Sequence[list[int]], sizes: Counts, ratio: Counts, *, even: bool) -> dict[int, Split]:
    """Give each unit to the split that lacks most: of its final size or, if *even*, of its share of what is dealt."""
    total = sum(sizes.values())
    filled: Counter[Split] = Counter()
    dealt = 0
    homes: list[Split] = []
    for unit in units:
        dealt += len(unit)
        due = {split: sizes[split] * (dealt if even else total) - filled[split] * total for split in SPLITS}
        room = [split for split in SPLITS if filled[split] < sizes[split]]
        home = max(room, key=lambda split: (due[split], ratio[split]))
        homes.append(home)
        filled[home] += len(unit)
    for empty in (split for split in SPLITS if split not in homes):
        crowded = Counter(homes).most_common(1)[0][0]
        smallest = min((n for n, home in enumerate(homes) if home == crowded), key=lambda n: len(units[n]))
        homes[smallest] = empty
    return {index: home for unit, home in zip(units, homes, strict=True) for index in unit}

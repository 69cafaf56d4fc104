"""Dealing items into splits."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reflact.data.ratio import SPLITS, counts, deal
from reflact.errors import DataError
from reflact.types import Split

RATIO: dict[Split, int] = {"train": 2, "val": 1, "test": 7}
ratios = st.fixed_dictionaries({split: st.integers(1, 20) for split in SPLITS})


@pytest.mark.parametrize(
    ("total", "expected"),
    [
        (10, (2, 1, 7)),
        (16, (3, 2, 11)),
        (100, (20, 10, 70)),
        (333, (67, 33, 233)),
        (2000, (400, 200, 1400)),
        (5, (1, 1, 3)),
        (4, (1, 1, 2)),
        (3, (1, 1, 1)),
    ],
)
def test_counts_follow_the_largest_remainder_and_leave_no_split_empty(
    total: int, expected: tuple[int, int, int]
) -> None:
    assert tuple(counts(total, RATIO).values()) == expected


@given(st.integers(3, 500), ratios)
def test_counts_add_up_and_none_is_zero(total: int, ratio: dict[Split, int]) -> None:
    shares = counts(total, ratio)
    assert sum(shares.values()) == total
    assert min(shares.values()) >= 1


def test_fewer_than_three_items_are_refused() -> None:
    with pytest.raises(DataError, match="2 items cannot make a train, a val and a test split"):
        deal(["a", "b"], ratio=RATIO, seed=42)


@given(st.integers(3, 60), ratios, st.integers(0, 5), st.integers(3, 9), st.booleans(), st.booleans())
def test_every_item_is_dealt_once_and_no_split_is_empty(
    n: int, ratio: dict[Split, int], seed: int, groups: int, grouped: bool, stratified: bool
) -> None:
    items = list(range(n))
    dealt = deal(
        items,
        ratio=ratio,
        seed=seed,
        group=(lambda item: item % groups) if grouped else None,
        stratum=(lambda item: str(item % groups % 2)) if stratified else None,
    )
    assert sorted(item for part in dealt.values() for item in part) == items
    assert all(dealt.values())


@given(st.integers(9, 90), st.integers(0, 5), st.integers(3, 9))
def test_items_of_one_group_stay_together(n: int, seed: int, groups: int) -> None:
    dealt = deal(list(range(n)), ratio=RATIO, seed=seed, group=lambda item: item % groups)
    homes = [{item % groups for item in part} for part in dealt.values()]
    assert sum(map(len, homes)) == groups


def test_groups_come_near_the_ratio() -> None:
    dealt = deal(list(range(100)), ratio=RATIO, seed=42, group=lambda item: item // 4)
    assert {split: len(part) for split, part in dealt.items()} == {"train": 20, "val": 8, "test": 72}


def test_two_groups_cannot_make_three_splits() -> None:
    with pytest.raises(DataError, match="2 groups cannot make three splits"):
        deal(list(range(10)), ratio=RATIO, seed=42, group=lambda item: item % 2)


@given(st.integers(0, 50))
def test_strata_are_spread_by_the_ratio_and_sizes_stay_exact(seed: int) -> None:
    items = [("cell", n) for n in range(60)] + [("sheet", n) for n in range(40)]
    dealt = deal(items, ratio=RATIO, seed=seed, stratum=lambda item: item[0])
    kinds = {split: Counter(kind for kind, _ in part) for split, part in dealt.items()}
    assert kinds == {
        "train": {"cell": 12, "sheet": 8},
        "val": {"cell": 6, "sheet": 4},
        "test": {"cell": 42, "sheet": 28},
    }


def test_the_deal_is_a_function_of_order_and_seed() -> None:
    items = list(range(50))
    assert deal(items, ratio=RATIO, seed=1) == deal(items, ratio=RATIO, seed=1)
    assert deal(items, ratio=RATIO, seed=1) != deal(items, ratio=RATIO, seed=2)


def test_a_plain_deal_is_consecutive_slices_of_the_shuffle() -> None:
    assert {split: "".join(part) for split, part in deal("abcdefghij", ratio=RATIO, seed=42).items()} == {
        "train": "hd",
        "val": "c",
        "test": "ifgjeab",
    }

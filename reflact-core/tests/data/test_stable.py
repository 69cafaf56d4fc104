"""Splits that do not move when the data grow."""

import pytest
from reflact.data.stable import deal_stable
from reflact.errors import DataError

RATIO = {"train": 2, "val": 1, "test": 7}


def words(count: int) -> list[str]:
    return [f"item {number}" for number in range(count)]


def homes(items: list[str], seed: int = 42) -> dict[str, str]:
    splits = deal_stable(items, ratio=RATIO, seed=seed, identity=str)  # type: ignore[arg-type]
    return {item: split for split, found in splits.items() for item in found}


def test_an_item_keeps_its_split_when_others_are_added_anywhere() -> None:
    before = homes(words(100))
    after = homes(["new first", *words(100), "new last"])
    assert {item: after[item] for item in before} == before


def test_the_order_of_the_file_does_not_matter() -> None:
    assert homes(words(100)[::-1]) == homes(words(100))


def test_sizes_come_near_the_ratio() -> None:
    found = list(homes(words(4000)).values())
    assert [round(found.count(split) / 400) for split in RATIO] == [2, 1, 7]


def test_another_seed_deals_otherwise() -> None:
    assert homes(words(100), seed=1) != homes(words(100), seed=2)


def test_a_set_too_small_to_fill_every_split_is_refused() -> None:
    with pytest.raises(DataError, match="split_method=shuffle"):
        homes(words(1))

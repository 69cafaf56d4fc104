"""A split out of a stream of records: by lists of ids, or drawn."""

import random
from pathlib import Path
from typing import Any

import pytest
from reflact.data.picking import drawn, listed, read_ids, read_sizes
from reflact.errors import DataError
from reflact.types import Split


def rows(n: int) -> list[dict[str, Any]]:
    return [{"id": f"k{i}", "question": f"clue {i}"} for i in range(n)]


IDS: dict[Split, list[str]] = {"train": ["k4", "k1"], "val": ["k3"], "test": ["k0"]}
SIZES: dict[Split, int] = {"train": 4, "val": 2, "test": 6}


def keys(picked: Any) -> dict[str, list[str]]:
    return {split: [one["id"] for one in items] for split, items in picked.items()}


def test_listed_ids_are_taken_in_the_order_of_the_list() -> None:
    assert keys(listed(iter(rows(9)), IDS)) == IDS


def test_ids_that_are_not_there_are_counted_and_the_first_named() -> None:
    with pytest.raises(DataError, match="2 of 4 ids are not in the data, first k4, k3"):
        listed(iter(rows(3)), IDS)


def test_an_id_in_two_lists_is_refused() -> None:
    with pytest.raises(DataError, match="1 ids are listed twice, first k1"):
        listed(iter(rows(9)), {**IDS, "val": ["k1"]})


def test_a_draw_depends_on_keys_and_seed_and_not_on_the_order_of_rows() -> None:
    shuffled = rows(50)
    random.Random(1).shuffle(shuffled)
    first = keys(drawn(iter(rows(50)), SIZES, 42))
    assert first == keys(drawn(iter(shuffled), SIZES, 42))
    assert first != keys(drawn(iter(rows(50)), SIZES, 43))
    assert [len(part) for part in first.values()] == [4, 2, 6]
    assert len({one for part in first.values() for one in part}) == 12


def test_a_draw_of_more_than_there_is_is_refused() -> None:
    with pytest.raises(DataError, match="the data hold 5 items, but 12 are wanted"):
        drawn(iter(rows(5)), SIZES, 42)


def test_id_lists_need_all_three_files(tmp_path: Path) -> None:
    (tmp_path / "train.txt").write_text("k1\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"val\.txt: No such file or directory; --ids needs train\.txt"):
        read_ids(tmp_path)


def test_an_item_that_comes_twice_is_drawn_once() -> None:
    picked = keys(drawn(iter([*rows(12), *rows(12)]), SIZES, 42))
    assert len({one for part in picked.values() for one in part}) == 12


@pytest.mark.parametrize("text", ["4:2", "4:2:0", "a:b:c", "1:1:-1"])
def test_sizes_are_three_positive_numbers(text: str) -> None:
    assert read_sizes("4:2:6") == SIZES
    with pytest.raises(DataError, match="must be three positive numbers"):
        read_sizes(text)

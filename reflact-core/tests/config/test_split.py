"""Which data a dataset env reads follows from what is named, and by whom."""

from collections.abc import Callable
from typing import Any

import pytest
from reflact.config import Resolved
from reflact.config.split import SplitConfig

Given = Callable[..., Resolved]
Faults = Callable[..., list[str]]
Loaded = Callable[..., Resolved]


def test_a_given_folder_means_a_prepared_split(given: Given) -> None:
    assert given(env={"split_dir": "data/x"}).env.split_mode == "split_dir"  # type: ignore[attr-defined]


def test_an_explicit_mode_beside_the_folder_counts(given: Given) -> None:
    assert given(env={"split_dir": "data/x", "split_mode": "ratio"}).env.split_mode == "ratio"  # type: ignore[attr-defined]


BASE = "env: {name: capitals, split_mode: split_dir, split_dir: data/x}"
RATIO = "env: {name: capitals, split_mode: ratio, data_path: raw.json}"


def test_raw_data_named_on_top_of_a_prepared_split_are_used(loaded: Loaded) -> None:
    found = loaded(BASE, "env.data_path=raw.json")
    assert found.env.split_mode == "ratio"  # type: ignore[attr-defined]
    assert found.origins["env.split_mode"] == "command line"


def test_a_prepared_split_named_on_top_of_raw_data_is_used(loaded: Loaded) -> None:
    assert loaded(RATIO, "env.split_dir=data/x").env.split_mode == "split_dir"  # type: ignore[attr-defined]


def test_a_mode_named_along_with_the_data_decides(loaded: Loaded) -> None:
    found = loaded(BASE, "env.data_path=raw.json", "env.split_mode=split_dir")
    assert found.env.split_mode == "split_dir"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("ratio", "shares"), [("2:1:7", (2, 1, 7)), ([8, 1, 1], (8, 1, 1)), (" 1 : 1 : 1 ", (1, 1, 1))]
)
def test_a_ratio_is_written_as_text_or_list(given: Given, ratio: Any, shares: tuple[int, int, int]) -> None:
    assert given(env={"split_ratio": ratio}).env.shares == shares  # type: ignore[attr-defined]


@pytest.mark.parametrize("ratio", ["2:1", "2:0:8", "2:-1:7", "a:b:c", "2:1:7:1", [2, 1], [2, 1.5, 7], 217, "²:1:7"])
def test_a_ratio_of_anything_else_is_refused(faults: Faults, ratio: Any) -> None:
    (line,) = faults(env={"split_ratio": ratio})
    assert line.startswith("given: env.split_ratio: ")


def test_a_mode_that_does_not_exist_is_refused_with_those_that_do(faults: Faults) -> None:
    (line,) = faults(env={"split_mode": "folders"})
    assert line == "given: env.split_mode: input should be 'ratio' or 'split_dir' (got 'folders')"


def test_a_prepared_split_without_its_folder_is_refused(faults: Faults) -> None:
    (line,) = faults(env={"split_mode": "split_dir"})
    assert "split_dir must name the folder" in line


def test_an_env_may_be_made_by_hand() -> None:
    assert SplitConfig(split_dir="data/x").split_mode == "split_dir"

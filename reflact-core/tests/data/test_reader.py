"""Splits of data that lie in several files, or of which only some are wanted: an env's own reader."""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from reflact.config.split import SplitConfig
from reflact.data.records import Record, scan
from reflact.data.splits import Splits, load_splits
from reflact.errors import DataError
from reflact.types import Task


def parse(raw: Mapping[str, Any]) -> Task:
    return Task(id=str(raw["id"]), data={"q": raw["q"]})


def even_or_odd(path: Path, *, rest: int) -> Sequence[Record]:
    """Give the records of *path*, or of all files below it, whose number divided by two leaves *rest*."""
    files = sorted(path.rglob("*.json")) if path.is_dir() else [path]
    found = [record for file in files for record in scan(file)]
    return [one for one in found if int(one.raw["q"]) % 2 == rest]


def several_files(folder: Path) -> Path:
    for part in range(3):
        (folder / f"part{part}").mkdir(parents=True)
        items = [{"id": f"i{n}", "q": n} for n in range(10 * part, 10 * part + 10)]
        (folder / f"part{part}" / "items.json").write_text(json.dumps(items), encoding="utf-8")
    return folder


def load(folder: Path, rest: int = 0, **config: Any) -> Splits:
    given = SplitConfig(data_path=str(folder), split_ratio="1:1:1", **config)
    return load_splits(given, parse, reader=partial(even_or_odd, rest=rest))


def test_a_reader_gives_the_records_of_several_files_and_leaves_some_out(tmp_path: Path) -> None:
    splits = load(several_files(tmp_path))
    assert {split: len(tasks) for split, tasks in splits.items()} == {"train": 5, "val": 5, "test": 5}
    assert all(task.data["q"] % 2 == 0 for tasks in splits.values() for task in tasks)


def test_what_was_dealt_is_read_again_through_the_same_reader(tmp_path: Path) -> None:
    folder, out = several_files(tmp_path / "data"), str(tmp_path / "out")
    first = load(folder, split_output_dir=out)
    assert load(folder, split_output_dir=out) == first
    prepared = SplitConfig(split_dir=out)
    assert load_splits(prepared, parse, reader=partial(even_or_odd, rest=0)) == first


def test_what_another_choice_of_records_dealt_is_refused(tmp_path: Path) -> None:
    folder, out = several_files(tmp_path / "data"), str(tmp_path / "out")
    load(folder, split_output_dir=out)
    with pytest.raises(DataError, match=r"dealt from .* in another way \(source_sha256"):
        load(folder, rest=1, split_output_dir=out)

"""Splits from files: read, dealt, kept, checked."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from reflact.config.split import SplitConfig
from reflact.data.checks import check_splits
from reflact.data.splits import fingerprint, generated_under, load_splits, split_name
from reflact.errors import ConfigError, DataError
from reflact.types import Task

Items = list[dict[str, Any]]


def parse(raw: Mapping[str, Any]) -> Task:
    if "q" not in raw:
        raise DataError("no field 'q'")
    return Task(id=str(raw["id"]), kind=str(raw.get("kind", "default")), data={"q": raw["q"]})


def items(n: int, *, start: int = 0) -> Items:
    return [{"id": f"i{k}", "q": f"question {k}", "page": k // 2, "kind": "ab"[k % 2]} for k in range(start, start + n)]


def write(path: Path, content: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def raw_file(folder: Path, content: Items) -> SplitConfig:
    return SplitConfig(data_path=str(write(folder / "raw.json", content)))


def prepared(folder: Path, train: Items, val: Items, test: Items) -> SplitConfig:
    for split, part in (("train", train), ("val", val), ("test", test)):
        write(folder / split / "items.json", part)
    return SplitConfig(split_mode="split_dir", split_dir=str(folder))


def ids(config: SplitConfig) -> dict[str, list[str]]:
    return {split: [task.id for task in tasks] for split, tasks in load_splits(config, parse).items()}


def with_(config: SplitConfig, **changes: Any) -> SplitConfig:
    return type(config)(**{**config.model_dump(), **changes})


@pytest.mark.parametrize(
    ("name", "split"),
    [("train", "train"), ("val", "val"), ("valid_seen", "val"), ("dev", "val"), ("valid_unseen", "test")],
)
def test_a_split_has_other_names(name: str, split: str) -> None:
    assert split_name(name) == split


def test_an_unknown_split_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(ConfigError, match=r"unknown split 'tset'\. Did you mean 'test'\?"):
        split_name("tset")
    with pytest.raises(ConfigError, match="Known: dev, selection, test, train"):
        split_name("xyz")


def test_a_ratio_split_is_disjoint_and_whole(tmp_path: Path) -> None:
    dealt = ids(raw_file(tmp_path, items(20)))
    assert {split: len(part) for split, part in dealt.items()} == {"train": 4, "val": 2, "test": 14}
    assert len({one for part in dealt.values() for one in part}) == 20


def test_a_ratio_split_is_the_same_wherever_and_whenever_it_is_dealt(tmp_path: Path) -> None:
    config = raw_file(tmp_path / "a", items(20))
    kept = with_(raw_file(tmp_path / "b", items(20)), split_output_dir=str(tmp_path / "out"))
    assert ids(config) == ids(kept) == ids(kept) == ids(SplitConfig(split_dir=str(tmp_path / "out")))


def test_a_run_keeps_its_ratio_split_in_its_own_folder(tmp_path: Path) -> None:
    config = generated_under(raw_file(tmp_path, items(20)), out_root=tmp_path / "run", env="searchqa")
    load_splits(config, parse)
    folder = tmp_path / "run" / "_generated_splits" / "searchqa_2-1-7_seed42"
    manifest = json.loads((folder / "split_manifest.json").read_text(encoding="utf-8"))
    assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.json")) == [
        "split_manifest.json",
        "test/items.json",
        "train/items.json",
        "val/items.json",
    ]
    assert manifest["counts"] == {"train": 4, "val": 2, "test": 14}
    assert (manifest["split_mode"], manifest["split_ratio"], manifest["split_seed"]) == ("ratio", "2:1:7", 42)
    assert manifest["source_data_path"] == config.data_path
    assert (manifest["n_items"], len(manifest["source_sha256"])) == (20, 64)
    assert list(manifest["items"]["val"]) == ids(config)["val"]


def test_a_folder_that_the_user_chose_or_a_prepared_split_is_left_alone(tmp_path: Path) -> None:
    chosen = SplitConfig(data_path="x.json", split_output_dir="mine")
    there = SplitConfig(split_dir="there")
    assert generated_under(chosen, out_root=tmp_path, env="qa") == chosen
    assert generated_under(there, out_root=tmp_path, env="qa") == there


def test_a_kept_split_holds_the_records_as_they_were(tmp_path: Path) -> None:
    config = with_(raw_file(tmp_path, items(20)), split_output_dir=str(tmp_path / "out"))
    load_splits(config, parse)
    files = (tmp_path / "out").glob("*/items.json")
    kept = [one for file in files for one in json.loads(file.read_text(encoding="utf-8"))]
    assert sorted(kept, key=lambda one: int(one["id"][1:])) == items(20)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"split_seed": 7}, "split_seed: was 42, is 7"),
        ({"split_ratio": "1:1:1"}, "split_ratio: was '2:1:7', is '1:1:1'"),
        ({"group_by": "page"}, "group_by: was '', is 'page'"),
    ],
)
def test_a_split_that_was_dealt_in_another_way_is_not_dealt_anew(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    config = with_(raw_file(tmp_path, items(20)), split_output_dir=str(tmp_path / "out"))
    before = ids(config)
    with pytest.raises(DataError, match=message):
        load_splits(with_(config, **changes), parse)
    assert ids(config) == before


def test_a_split_whose_source_has_changed_is_not_dealt_anew(tmp_path: Path) -> None:
    config = with_(raw_file(tmp_path, items(20)), split_output_dir=str(tmp_path / "out"))
    load_splits(config, parse)
    raw_file(tmp_path, items(21))
    with pytest.raises(DataError, match=r"source_sha256: was .*n_items: was 20, is 21.*Delete the folder"):
        load_splits(config, parse)


def test_a_folder_with_something_else_in_it_is_not_written_to(tmp_path: Path) -> None:
    write(tmp_path / "out" / "train" / "mine.json", [])
    config = with_(raw_file(tmp_path, items(20)), split_output_dir=str(tmp_path / "out"))
    with pytest.raises(DataError, match=r"not empty and without split_manifest\.json"):
        load_splits(config, parse)


def test_a_kept_item_that_was_changed_by_hand_is_named(tmp_path: Path) -> None:
    config = with_(raw_file(tmp_path, items(20)), split_output_dir=str(tmp_path / "out"))
    load_splits(config, parse)
    val = tmp_path / "out" / "val" / "items.json"
    changed = json.loads(val.read_text(encoding="utf-8"))
    changed[0]["q"] = "another question"
    write(val, changed)
    with pytest.raises(DataError, match=f"val item '{changed[0]['id']}' is not as split_manifest.json has it"):
        load_splits(config, parse)


def test_a_manifest_that_counts_otherwise_is_refused(tmp_path: Path) -> None:
    config = prepared(tmp_path, items(2), items(1, start=2), items(1, start=3))
    write(tmp_path / "split_manifest.json", {"counts": {"train": 3, "val": 1, "test": 1}})
    with pytest.raises(DataError, match=r"tells of 3 train items, but there are 2"):
        load_splits(config, parse)


def test_a_prepared_split_is_read_in_file_order(tmp_path: Path) -> None:
    config = prepared(tmp_path, items(2), items(1, start=2), items(2, start=3))
    assert ids(config) == {"train": ["i0", "i1"], "val": ["i2"], "test": ["i3", "i4"]}


def test_a_prepared_split_may_be_three_files(tmp_path: Path) -> None:
    for start, split in enumerate(("train", "val", "test")):
        write(tmp_path / f"{split}.jsonl", items(1, start=start)[0])
    assert ids(SplitConfig(split_dir=str(tmp_path))) == {"train": ["i0"], "val": ["i1"], "test": ["i2"]}


def test_a_missing_part_and_an_ambiguous_one_are_named(tmp_path: Path) -> None:
    config = prepared(tmp_path, items(2), items(1, start=2), items(2, start=3))
    write(tmp_path / "val" / "more.json", [])
    with pytest.raises(DataError, match=r"val: 2 data files \(items\.json, more\.json\)"):
        load_splits(config, parse)
    write(tmp_path / "train.json", [])
    with pytest.raises(DataError, match=r"train and train\.json could each be the train split"):
        load_splits(config, parse)
    (tmp_path / "train.json").unlink()
    (tmp_path / "train" / "items.json").unlink()
    (tmp_path / "train").rmdir()
    with pytest.raises(DataError, match="no train split; it must hold train, val, test, but holds test, val"):
        load_splits(config, parse)


def test_a_missing_split_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"env\.split_dir .*nowhere: no such folder \(looked at /"):
        load_splits(SplitConfig(split_dir=str(tmp_path / "nowhere")), parse)


def test_an_empty_split_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"val/items\.json: holds no items"):
        load_splits(prepared(tmp_path, items(2), [], items(1, start=2)), parse)


def test_no_data_path_says_what_to_set() -> None:
    with pytest.raises(DataError, match=r"env\.data_path is not set: .*split_mode=split_dir"):
        load_splits(SplitConfig(), parse)


def test_a_data_path_that_is_a_prepared_split_says_so(tmp_path: Path) -> None:
    prepared(tmp_path, items(2), items(1, start=2), items(2, start=3))
    with pytest.raises(DataError, match="is a prepared split; use split_mode: split_dir"):
        load_splits(SplitConfig(data_path=str(tmp_path)), parse)


def test_the_same_id_in_two_splits_is_named_with_both(tmp_path: Path) -> None:
    other = [{"id": "i0", "q": "something else"}]
    with pytest.raises(DataError, match="id 'i0' occurs twice, in train and val"):
        load_splits(prepared(tmp_path, items(2), other, items(1, start=5)), parse)


def test_the_same_id_twice_in_a_raw_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="id 'i0' occurs twice"):
        load_splits(raw_file(tmp_path, [*items(9), {"id": "i0", "q": "again"}]), parse)


def test_one_item_under_two_ids_in_two_splits_is_refused(tmp_path: Path) -> None:
    copy = [{"id": "copy", "q": "question 1", "kind": "b"}]
    with pytest.raises(
        DataError, match=r"1 items lie in two splits under different ids.*'i1' in train is 'copy' in val"
    ):
        load_splits(prepared(tmp_path, items(2), copy, items(1, start=5)), parse)


def test_one_item_twice_in_one_split_is_allowed(tmp_path: Path) -> None:
    copy = {"id": "copy", "q": "question 1", "kind": "b"}
    assert ids(prepared(tmp_path, [*items(2), copy], items(1, start=3), items(1, start=5)))["train"][-1] == "copy"


def test_an_empty_id_is_refused() -> None:
    one, two, three = (Task(id=name) for name in ("a", " ", "c"))
    with pytest.raises(DataError, match="an item of the val split has an empty id"):
        check_splits({"train": (one,), "val": (two,), "test": (three,)})


def test_unusable_records_are_counted_and_the_first_three_named(tmp_path: Path) -> None:
    faulty = [{"id": f"f{n}"} for n in range(4)]
    with pytest.raises(DataError, match=r"raw\.json: item 3: no field 'q'.*item 5.*\(4 faulty records of 6\)"):
        load_splits(raw_file(tmp_path, [*items(2), *faulty]), parse)


def test_a_limit_cuts_every_split_after_the_deal(tmp_path: Path) -> None:
    config = raw_file(tmp_path, items(40))
    limited = ids(with_(config, limit=3))
    assert limited == {split: part[:3] for split, part in ids(config).items()}


def test_items_of_one_group_stay_in_one_split(tmp_path: Path) -> None:
    dealt = ids(with_(raw_file(tmp_path, items(20)), group_by="page"))
    pages = [{int(one[1:]) // 2 for one in part} for part in dealt.values()]
    assert sum(map(len, pages)) == 10


def test_strata_may_be_kinds(tmp_path: Path) -> None:
    dealt = load_splits(with_(raw_file(tmp_path, items(20)), stratify_by="kind"), parse)
    assert [task.kind for task in dealt["train"]].count("a") == 2


def test_a_group_field_that_a_record_lacks_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"item \d: no field 'pge' to split by; it has kind, q, id, page"):
        load_splits(with_(raw_file(tmp_path, items(5)), group_by="pge"), parse)


def test_a_fingerprint_changes_with_any_content_and_not_otherwise(tmp_path: Path) -> None:
    first = fingerprint(load_splits(raw_file(tmp_path / "a", items(20)), parse))
    again = fingerprint(load_splits(raw_file(tmp_path / "b", items(20)), parse))
    changed = items(20)
    changed[3]["q"] += "!"
    splits = load_splits(raw_file(tmp_path / "c", changed), parse)
    other = fingerprint(splits)
    holding = [split for split, tasks in splits.items() if "i3" in {task.id for task in tasks}]
    assert first == again
    assert [split for split in first if first[split] != other[split]] == holding
    assert first["train"]["n"] == 4


def test_half_a_character_is_named_before_anything_is_written(tmp_path: Path) -> None:
    broken = items(5)
    broken[1]["note"] = "\ud800"
    config = with_(raw_file(tmp_path, broken), split_output_dir=str(tmp_path / "out"))
    with pytest.raises(DataError, match=r"item 2: '\\ud800' is no character"):
        load_splits(config, parse)
    assert not (tmp_path / "out").exists()

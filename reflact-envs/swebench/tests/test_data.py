"""Where issues come from, and what a task holds of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from reflact import DataError
from reflact.data.manifest import read_manifest
from reflact_env_swebench import SWEBenchConfig, write_sample
from reflact_env_swebench.data import load, provenance
from reflact_env_swebench.item import gold_of, to_task
from reflact_env_swebench.source import full_name, rows

RAW: dict[str, Any] = {
    "instance_id": "demo__calc-1",
    "repo": "demo/calc",
    "base_commit": "0" * 40,
    "problem_statement": "add(2, 3) returns -1 instead of 5.",
    "hints_text": "swap the sign",
    "patch": "diff --git a/calc.py b/calc.py\n",
    "test_patch": "diff --git a/test_calc.py b/test_calc.py\n",
    "FAIL_TO_PASS": '["test_calc.py::test_add"]',
    "PASS_TO_PASS": ["test_calc.py::test_sub"],
}


def raw(**changes: Any) -> dict[str, Any]:
    return {**RAW, **changes}


def many(n: int = 12, repos: int = 2) -> list[dict[str, Any]]:
    return [
        raw(instance_id=f"demo__calc-{i}", repo=f"demo/r{i % repos}", problem_statement=f"issue {i}") for i in range(n)
    ]


@pytest.mark.parametrize(
    ("name", "due"),
    [
        ("lite", "SWE-bench/SWE-bench_Lite"),
        ("Verified", "SWE-bench/SWE-bench_Verified"),
        ("full", "SWE-bench/SWE-bench"),
        ("someone/else", "someone/else"),
    ],
)
def test_bug_1_short_names_mean_the_sets_that_the_evaluation_reads_too(name: str, due: str) -> None:
    assert full_name(name) == due


def test_bug_2_the_instance_id_is_the_id() -> None:
    assert to_task(RAW).id == "demo__calc-1"


def test_bug_3_a_task_holds_neither_patch_nor_tests_nor_hints() -> None:
    held = json.dumps(dict(to_task(RAW).data))
    assert "add(2, 3)" in held
    assert not [one for one in ("calc.py", "test_add", "test_sub", "swap") if one in held]


def test_a_changed_gold_makes_another_task() -> None:
    assert to_task(raw(patch="other")).data["hidden"] != to_task(RAW).data["hidden"]


def test_lists_of_tests_may_be_json_in_a_text() -> None:
    gold = gold_of(RAW)
    assert (gold.target, gold.kept) == (("test_calc.py::test_add",), ("test_calc.py::test_sub",))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"instance_id": ""}, "no instance_id"),
        ({"repo": None}, "'demo__calc-1' has no repo"),
        ({"problem_statement": " "}, "'demo__calc-1' has no problem_statement"),
        ({"FAIL_TO_PASS": "[]"}, "has no FAIL_TO_PASS"),
        ({"PASS_TO_PASS": "[oops"}, "PASS_TO_PASS is not a JSON list"),
        ({"FAIL_TO_PASS": [1]}, "must be a list of names"),
    ],
)
def test_a_record_that_cannot_be_judged_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError) as refused:
        to_task(raw(**changes))
    assert message in str(refused.value)


def test_a_dealt_split_is_kept_with_how_it_was_made_and_read_again(tmp_path: Path) -> None:
    file, kept = tmp_path / "items.jsonl", tmp_path / "split"
    file.write_text("\n".join(map(json.dumps, many())))
    config = SWEBenchConfig(data_path=str(file), split_output_dir=str(kept))
    first = load(config)
    told = read_manifest(kept) or {}
    assert (told["strategy"], told["dataset_name"], told["hf_split"]) == ("stratified_by_repo", "lite", "test")
    assert told["counts"] == {split: len(found) for split, found in first.items()}
    again = load(config)
    assert {split: [one.task for one in found] for split, found in again.items()} == {
        split: [one.task for one in found] for split, found in first.items()
    }


def test_a_split_kept_from_other_data_is_refused(tmp_path: Path) -> None:
    file, kept = tmp_path / "items.json", tmp_path / "split"
    file.write_text(json.dumps(many()))
    load(SWEBenchConfig(data_path=str(file), split_output_dir=str(kept)))
    file.write_text(json.dumps(many(n=14)))
    with pytest.raises(DataError, match=r"was dealt from .* in another way"):
        load(SWEBenchConfig(data_path=str(file), split_output_dir=str(kept)))


def test_a_kept_split_of_a_public_set_is_read_without_the_network(tmp_path: Path) -> None:
    file, kept = tmp_path / "items.json", tmp_path / "split"
    file.write_text(json.dumps(many()))
    load(SWEBenchConfig(data_path=str(file), split_output_dir=str(kept)))
    place = kept / "split_manifest.json"
    told = json.loads(place.read_text())
    public = SWEBenchConfig(dataset_name="nobody/nowhere", split_output_dir=str(kept))
    with pytest.raises(DataError):
        load(public)

    place.write_text(json.dumps({**told, "source_sha256": provenance(public)["source_sha256"]}))
    assert sum(map(len, load(public).values())) == 12


def test_a_data_set_may_be_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(many()))
    assert sum(map(len, load(SWEBenchConfig(dataset_name=str(file))).values())) == 12


@pytest.mark.parametrize("below", ["split", "."])
def test_the_layout_of_earlier_systems_is_read(tmp_path: Path, below: str) -> None:
    items = many()
    (tmp_path / below).mkdir(exist_ok=True)
    for name, part in (("train", items[:3]), ("selection", items[3:5]), ("test", items[5:])):
        (tmp_path / below / f"{name}.json").write_text(json.dumps(part))
    found = load(SWEBenchConfig(split_dir=str(tmp_path)))
    assert {split: len(one) for split, one in found.items()} == {"train": 3, "val": 2, "test": 7}


def test_a_prepared_split_is_read(tmp_path: Path) -> None:
    items = many()
    for split, part in (("train", items[:3]), ("val", items[3:5]), ("test", items[5:])):
        (tmp_path / split).mkdir()
        (tmp_path / split / "items.json").write_text(json.dumps(part))
    assert len(load(SWEBenchConfig(split_dir=str(tmp_path)))["test"]) == 7


def test_too_few_issues_for_a_split_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "items.json"
    file.write_text(json.dumps(many(n=2)))
    with pytest.raises(DataError, match="the train split is empty"):
        load(SWEBenchConfig(data_path=str(file)))


def test_other_ways_to_deal_are_refused() -> None:
    with pytest.raises(ValidationError, match="split_method"):
        SWEBenchConfig(**{"split_method": "hash"})


def test_the_sample_is_the_same_on_every_machine(tmp_path: Path) -> None:
    write_sample(tmp_path / "one", 7, 3)
    write_sample(tmp_path / "two", 7, 3)
    first, second = ((tmp_path / name / "items.json").read_text() for name in ("one", "two"))
    assert first == second
    assert json.loads(first)[0]["base_commit"] == COMMIT


COMMIT = "9266194f082b85c5085e08bd96042757676ebc89"


def test_rows_of_a_public_set_are_read_from_a_copy_of_it(tmp_path: Path) -> None:
    pytest.importorskip("datasets", reason="needs the library datasets (the extra `datasets`)")
    (tmp_path / "test.jsonl").write_text("\n".join(map(json.dumps, many(n=3))))
    found = list(rows(tmp_path))
    assert [one["id"] for one in found] == ["demo__calc-0", "demo__calc-1", "demo__calc-2"]
    assert to_task(found[0]).kind == "demo/r0"

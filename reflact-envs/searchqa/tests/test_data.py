"""From records to tasks."""

import json
from pathlib import Path
from typing import Any

import pytest
from reflact import DataError
from reflact_env_searchqa.config import SearchQAConfig
from reflact_env_searchqa.data import to_task
from reflact_env_searchqa.env import SearchQA
from reflact_env_searchqa.sample import write_sample

RAW = {"id": "demo1", "question": "this place", "context": "[DOC] x", "answers": ["the Quill Islands", "Quill Islands"]}


@pytest.mark.parametrize("name", ["id", "key", "qid"])
def test_an_id_may_be_called_id_key_or_qid(name: str) -> None:
    raw = {name: "demo1", "question": "this place", "answer": "x"}
    assert to_task(raw).id == "demo1"


@pytest.mark.parametrize(
    ("fields", "answers"),
    [
        ({"answers": ["a", "", "b"]}, ["a", "b"]),
        ({"answers": {"text": ["a"], "answer_start": [3]}}, ["a"]),
        ({"answers": "a"}, ["a"]),
        ({"answer": "a"}, ["a"]),
        ({"answers": [1984]}, ["1984"]),
    ],
)
def test_answers_come_in_several_shapes(fields: dict[str, Any], answers: list[str]) -> None:
    assert to_task({"id": "d", "question": "q", **fields}).data["answers"] == answers


def test_the_kind_is_qa_unless_the_item_has_one() -> None:
    assert to_task(RAW).kind == "qa"
    assert to_task({**RAW, "task_type": "person"}).kind == "person"


def test_a_task_written_as_a_record_is_the_same_task() -> None:
    task = to_task(RAW)
    assert to_task({"id": task.id, "kind": task.kind, **task.data}) == task


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"id": None}, r"no id \(nor key, nor qid\)"),
        ({"question": ""}, "'demo1' has no question"),
        ({"answers": []}, "'demo1' has no answers"),
        ({"answers": [" "]}, "'demo1' has no answers"),
        ({"answers": {"start": 1}}, "'demo1' has no answers"),
        ({"context": ["x"]}, "field 'context' must be text, not list"),
    ],
)
def test_a_record_that_cannot_be_asked_or_graded_is_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        to_task({**RAW, **fields})


def test_records_without_gold_are_counted_and_the_first_three_named(tmp_path: Path) -> None:
    faulty = [{"id": f"d{n}", "question": "q"} for n in range(5)]
    (tmp_path / "raw.json").write_text(json.dumps([RAW, *faulty]), encoding="utf-8")
    with pytest.raises(DataError, match=r"'d0' has no answers.*'d1'.*'d2'.*\(5 faulty records of 6\)"):
        SearchQA(SearchQAConfig(data_path=str(tmp_path / "raw.json")))


def test_missing_data_say_where_they_were_looked_for_and_what_would_do() -> None:
    with pytest.raises(DataError) as caught:
        SearchQA(SearchQAConfig(split_dir="no/such/split"))
    message = str(caught.value)
    assert "no/such/split: no such folder (looked at /" in message
    assert all(word in message for word in ("train, val and test", "id, question, context and answers", "materialize"))


@pytest.mark.parametrize(
    ("given", "mode"),
    [
        ({}, "split_dir"),
        ({"data_path": "x.json"}, "ratio"),
        ({"data_path": "x.json", "split_dir": "y"}, "split_dir"),
        ({"data_path": "x.json", "split_mode": "split_dir"}, "split_dir"),
        ({"split_mode": "ratio"}, "ratio"),
    ],
)
def test_raw_data_imply_a_ratio_split(given: dict[str, Any], mode: str) -> None:
    assert SearchQAConfig(**given).split_mode == mode


def test_the_defaults_are_those_that_were_promised() -> None:
    config = SearchQAConfig()
    assert config.split_dir == "data/searchqa_split"
    assert (config.max_turns, config.max_completion_tokens, config.max_context_chars) == (1, 16384, 6000)


def test_the_sample_is_the_same_for_a_seed_and_holds_the_hard_cases(tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        write_sample(tmp_path / name, 30, seed)
    first, again, other = (json.loads((tmp_path / name / "items.json").read_text(encoding="utf-8")) for name in "abc")
    assert first == again != other
    assert len({one["id"] for one in first}) == 30
    assert any(len(one["answers"]) > 1 for one in first)
    assert any(len(one["context"]) > 6000 and one["context"].rindex(one["answers"][-1]) > 6000 for one in first)
    golds = {one["answers"][-1] for one in first}
    assert {"O'Hara-Lee", "The The", "東の港"} <= golds
    assert all(one["answers"][-1] in one["context"] for one in first)

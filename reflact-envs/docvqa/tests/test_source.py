"""The public data become records that the env reads."""

import json
from pathlib import Path
from typing import Any

import pytest
from reflact import DataError, Split
from reflact.data.manifest import write_split
from reflact.data.picking import listed
from reflact.kit.media import Media
from reflact.testing.drawing import encoded, noise
from reflact_env_docvqa.config import DocVQAConfig
from reflact_env_docvqa.data import to_task
from reflact_env_docvqa.env import DocVQA
from reflact_env_docvqa.sample import write_sample
from reflact_env_docvqa.source import DATA, competition_rows, record

IDS: dict[Split, list[str]] = {"train": ["900004", "900001"], "val": ["900008"], "test": ["900000"]}


def test_a_split_of_listed_ids_is_made_of_the_competition_s_file(tmp_path: Path) -> None:
    write_sample(tmp_path / "raw", 12, 1)
    picked = listed(competition_rows(tmp_path / "raw" / "items.json"), IDS)
    write_split(tmp_path / "out", picked, {})
    env = DocVQA(DocVQAConfig(split_dir=str(tmp_path / "out"), data_root=str(tmp_path / "raw")))
    assert {split: [one.id for one in env.tasks(split)] for split in IDS} == IDS


def test_what_has_to_be_got_by_hand_says_where() -> None:
    with pytest.raises(DataError, match=r"by hand: register at rrc\.cvc\.uab\.es.*--from"):
        list(competition_rows(None))


def test_a_row_of_the_copy_carries_its_page(tmp_path: Path) -> None:
    data = encoded(noise(), "JPEG")
    for split, number in (("train", 1), ("val", 2), ("test", 3)):
        row: dict[str, Any] = {
            "questionId": str(number),
            "question": f"Question {number}?",
            "question_types": ["form"],
            "image": {"bytes": data, "path": None},
            "docId": number,
            "answers": ["yes"],
        }
        (tmp_path / split).mkdir()
        (tmp_path / split / "items.json").write_text(json.dumps([record(row)]))
    env = DocVQA(DocVQAConfig(split_dir=str(tmp_path)))
    assert [env.tasks(split)[0].id for split in IDS] == ["1", "2", "3"]
    assert env.tasks("train")[0].data["image"].keys() == {"bytes"}


def test_a_row_of_the_test_part_of_the_copy_is_a_question_without_an_answer() -> None:
    row = {"questionId": "7", "question": "When?", "image": {"bytes": encoded(noise(), "JPEG"), "path": None}}
    task = to_task(record({**row, "docId": 3, "answers": None}), Media([]))
    assert (task.id, task.scorable) == ("7", False)


def test_every_source_has_a_licence_and_a_place() -> None:
    assert all(source.licence and source.where and source.size for source in DATA.sources)

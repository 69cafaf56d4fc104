"""The public data become records that the env reads."""

import json
from pathlib import Path
from typing import Any

import pytest
from reflact import DataError
from reflact.testing.drawing import encoded, noise
from reflact_env_babyvision.config import BabyVisionConfig
from reflact_env_babyvision.env import BabyVision
from reflact_env_babyvision.sample import write_sample
from reflact_env_babyvision.source import DATA, archive_rows, record


def test_a_row_of_the_data_set_carries_its_picture(tmp_path: Path) -> None:
    data = encoded(noise(), "JPEG")
    rows: list[dict[str, Any]] = [
        {
            "taskId": number,
            "question": f"Puzzle {number}?",
            "ansType": "blank",
            "blankAns": "3",
            "image": {"bytes": data, "path": "x.jpg"},
        }
        for number in range(6)
    ]
    (tmp_path / "items.jsonl").write_text("".join(json.dumps(record(row)) + "\n" for row in rows))
    env = BabyVision(BabyVisionConfig(data_path=str(tmp_path), split_ratio="1:1:1"))
    assert sorted(one.id for split in ("train", "val", "test") for one in env.tasks(split)) == list("012345")


def test_the_records_of_the_archive_get_an_id_and_keep_their_pictures_names(tmp_path: Path) -> None:
    write_sample(tmp_path, 4, 1)
    found = list(archive_rows(tmp_path))
    assert [(one["id"], one["image"]) for one in found[:2]] == [("9000", "9000.png"), ("9001", "images/9001.png")]


def test_what_has_to_be_got_by_hand_says_where() -> None:
    with pytest.raises(DataError, match=r"by hand: fetch data/babyvision_data\.zip.*--from"):
        list(archive_rows(None))


def test_every_source_has_a_licence_and_a_place() -> None:
    assert all(source.licence and source.where and source.size for source in DATA.sources)

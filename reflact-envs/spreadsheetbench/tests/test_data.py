"""Records and folders of every release become tasks; what cannot be used is told before anything is paid for."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from reflact import DataError
from reflact_env_spreadsheetbench.cases import find_cases
from reflact_env_spreadsheetbench.data import read_records, to_task

RECORD = {"id": "9", "instruction": "Do it.", "instruction_type": "Sheet-Level Manipulation", "answer_position": "A1"}
Make = Callable[..., Path]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Makes `tmp_path/spreadsheet/9` with files of these names."""

    def made(*names: str) -> Path:
        folder = tmp_path / "spreadsheet" / "9"
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            (folder / name).write_bytes(name.encode())
        return folder

    return made


def found(folder: Path) -> list[tuple[int, str, str]]:
    return [(one.no, one.source, one.gold) for one in find_cases(folder, "9")]


def test_the_cases_of_the_912_are_sorted_by_number(make: Make) -> None:
    names = [f"{no}_9_{role}.xlsx" for no in (10, 2, 1) for role in ("input", "answer")]
    assert [one[0] for one in found(make(*names))] == [1, 2, 10]


def test_a_task_of_one_or_two_cases_has_one_or_two(make: Make) -> None:
    assert len(found(make("1_9_input.xlsx", "1_9_answer.xlsx"))) == 1
    assert len(found(make("2_9_input.xlsx", "2_9_answer.xlsx"))) == 2


def test_the_verified_ones_have_other_names_and_a_prompt_beside_them(make: Make) -> None:
    folder = make("1_9_init.xlsx", "1_9_golden.xlsx", "prompt.txt", "~$1_9_init.xlsx", ".1_9_init.xlsx")
    assert found(folder) == [(1, "1_9_init.xlsx", "1_9_golden.xlsx")]


def test_some_of_the_verified_ones_have_bare_names(make: Make) -> None:
    assert found(make("initial.xlsx", "golden.xlsx")) == [(1, "initial.xlsx", "golden.xlsx")]


def test_a_lone_gold_of_another_id_belongs_to_the_lone_input(make: Make) -> None:
    with pytest.warns(RuntimeWarning, match="1_9_init.xlsx and 1_8_golden.xlsx are taken for one case"):
        assert found(make("1_9_init.xlsx", "1_8_golden.xlsx")) == [(1, "1_9_init.xlsx", "1_8_golden.xlsx")]


def test_a_workbook_without_a_counterpart_is_left_out_and_told(make: Make) -> None:
    with pytest.warns(RuntimeWarning, match="3_9_input.xlsx has no counterpart"):
        assert len(found(make("1_9_input.xlsx", "1_9_answer.xlsx", "3_9_input.xlsx"))) == 1


def test_two_golds_of_one_case_are_refused(make: Make) -> None:
    with pytest.raises(DataError, match="case 1 has more than one input or gold"):
        found(make("1_9_input.xlsx", "1_9_answer.xlsx", "1_9_golden.xlsx"))


def test_a_folder_without_cases_is_told_with_what_it_holds(make: Make) -> None:
    with pytest.raises(DataError, match=r"no-test-cases.*which holds a\.txt"):
        found(make("a.txt"))


def test_a_folder_that_is_not_there_is_told_with_the_key(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no folder .*nowhere; env\.data_root"):
        find_cases(tmp_path / "nowhere", "9")


def test_a_record_becomes_a_task(make: Make, tmp_path: Path) -> None:
    make("1_9_input.xlsx", "1_9_answer.xlsx")
    task = to_task({**RECORD, "id": 9}, root=tmp_path)
    assert (task.id, task.kind, task.data["folder"]) == ("9", "sheet_level", "spreadsheet/9")
    assert task.data["cases"][0]["source"] == "1_9_input.xlsx"


def test_changed_workbooks_are_another_task(make: Make, tmp_path: Path) -> None:
    folder = make("1_9_input.xlsx", "1_9_answer.xlsx")
    before = to_task(RECORD, root=tmp_path)
    (folder / "1_9_answer.xlsx").write_bytes(b"other")
    assert to_task(RECORD, root=tmp_path) != before


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"id": None}, "no id"),
        ({"instruction": ""}, "no instruction"),
        ({"answer_position": ""}, "answer_position"),
        ({"answer_position": ["A1"]}, "must be text, not list"),
    ],
)
def test_a_record_that_lacks_something_is_refused(
    make: Make, tmp_path: Path, change: dict[str, Any], told: str
) -> None:
    make("1_9_input.xlsx", "1_9_answer.xlsx")
    with pytest.raises(DataError, match=told):
        to_task({**RECORD, **change}, root=tmp_path)


@pytest.mark.parametrize("place", ["../outside", "spreadsheet/../../outside", "{absolute}"])
def test_a_path_that_leads_out_is_refused_unless_allowed(tmp_path: Path, place: str) -> None:
    """[BUG 1] A record's path was joined blindly, an absolute one taken as it is."""
    outside = tmp_path / "outside"
    outside.mkdir()
    for name in ("1_9_input.xlsx", "1_9_answer.xlsx"):
        (outside / name).write_bytes(b"")
    record = {**RECORD, "spreadsheet_path": place.format(absolute=outside)}
    (tmp_path / "root" / "spreadsheet").mkdir(parents=True)
    with pytest.raises(DataError, match=r"leads out of env\.data_root"):
        to_task(record, root=tmp_path / "root")
    assert to_task(record, root=tmp_path / "root", outside=True).data["cases"]


def test_a_link_that_leads_out_is_refused_too(tmp_path: Path) -> None:
    """[BUG 1]"""
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "link").symlink_to(tmp_path)
    with pytest.raises(DataError, match="leads out"):
        to_task({**RECORD, "spreadsheet_path": "link"}, root=tmp_path / "root")


@pytest.mark.parametrize("text", [json.dumps([RECORD]), json.dumps({"data": [RECORD]}), json.dumps(RECORD) + "\n"])
def test_a_task_folder_is_read_by_its_dataset_json_whatever_else_lies_there(tmp_path: Path, text: str) -> None:
    (tmp_path / "dataset.json").write_text(text if text.startswith("[") or "data" in text else f"{text}{text}")
    (tmp_path / "notes.json").write_text("[]")
    assert {record.raw["id"] for record in read_records(tmp_path)} == {"9"}

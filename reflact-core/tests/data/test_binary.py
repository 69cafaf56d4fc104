"""Records from workbooks and Parquet files, and what is skipped."""

import json
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from reflact.config.split import SplitConfig
from reflact.data.records import read, scan
from reflact.data.splits import load_splits
from reflact.errors import DataError
from reflact.types import Task


def workbook(path: Path, **sheets: list[list[Any]]) -> Path:
    openpyxl = pytest.importorskip("openpyxl", reason="needs reflact-core[xlsx]")
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def test_a_sheet_is_read_with_its_types_and_every_record_knows_its_row(tmp_path: Path) -> None:
    rows: list[list[Any]] = [
        ["id", "answer", "when"],
        ["a", 7, date(2025, 3, 1)],
        [None, None, None],
        ["b", "007", None],
    ]
    path = workbook(tmp_path / "a.xlsx", Data=rows, Notes=[])
    assert [(dict(one.raw), one.where) for one in read(path)] == [
        ({"id": "a", "answer": 7, "when": "2025-03-01T00:00:00"}, f"{path}:2"),
        ({"id": "b", "answer": "007", "when": None}, f"{path}:4"),
    ]


@pytest.mark.parametrize(
    ("sheets", "message"),
    [
        ({"A": [["id"], ["a"]], "B": [["id"], ["b"]]}, "2 sheets hold cells (A, B); keep exactly one"),
        ({"A": []}, "0 sheets hold cells (none)"),
        ({"A": [["id", None, "x"], ["a"]]}, "a.xlsx:1: the first row must name every column, each once"),
        ({"A": [["id", "id"], ["a"]]}, "a.xlsx:1: the first row must name every column, each once"),
        ({"A": [["id"], ["a", "b"]]}, "a.xlsx:2: 2 cells, but the first row names 1"),
    ],
)
def test_a_workbook_that_is_no_table_is_refused(tmp_path: Path, sheets: Any, message: str) -> None:
    path = workbook(tmp_path / "a.xlsx", **sheets)
    with pytest.raises(DataError) as refused:
        read(path)
    assert message in str(refused.value)


def test_what_is_no_workbook_is_refused_and_a_lock_file_beside_one_is_not_seen(tmp_path: Path) -> None:
    path = workbook(tmp_path / "a.xlsx", A=[["id"], ["a"]])
    (tmp_path / "~$a.xlsx").write_text("lock")
    assert [one.raw["id"] for one in read(tmp_path)] == ["a"]
    path.write_text("id\na\n")
    with pytest.raises(DataError, match=r"a\.xlsx: no Excel workbook"):
        read(path)


def test_a_missing_library_is_named_with_the_way_to_get_it(tmp_path: Path) -> None:
    (tmp_path / "a.xlsx").write_text("")
    blocked = "import sys; sys.modules['openpyxl'] = None\n"
    code = f"{blocked}from pathlib import Path\nfrom reflact.data.records import read\nread(Path('a.xlsx'))"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert 'needs the library openpyxl: pip install "reflact-core[xlsx]", or save the data as JSONL' in done.stderr


def test_parquet_rows_are_records(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="needs reflact-core[parquet]")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "a.parquet"
    rows = [{"id": "a", "answers": ["x", "y"], "when": date(2025, 3, 1)}]
    parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    [record] = read(path)
    assert record.raw == {"id": "a", "answers": ["x", "y"], "when": "2025-03-01"}
    assert record.where == f"{path}: row 1"
    path.write_text("PAR")
    with pytest.raises(DataError, match=r"a\.parquet: no Parquet file"):
        read(path)


LINES = ['{"id": "a"}', '{"id": "b"', "7", '{"id": "c"}', '{"id": ""}', '{"id": "d"}', '{"id": "e"}']


def to_task(raw: Any) -> Task:
    if not raw["id"]:
        raise DataError("no id")
    return Task(id=raw["id"], data={"q": raw["id"]})


def items(folder: Path, lines: list[str]) -> Path:
    path = folder / "items.jsonl"
    path.write_text("\n".join(lines))
    return path


def test_a_line_that_cannot_be_read_is_one_record_of_the_file(tmp_path: Path) -> None:
    found = scan(items(tmp_path, LINES))
    assert [(one.where.rpartition(":")[2], bool(one.fault)) for one in found[:4]] == [
        ("1", False),
        ("2", True),
        ("3", True),
        ("4", False),
    ]


def test_all_bad_records_are_counted_when_they_are_refused(tmp_path: Path) -> None:
    path = items(tmp_path, LINES)
    with pytest.raises(DataError) as refused:
        load_splits(SplitConfig(data_path=str(path)), to_task)
    told = str(refused.value)
    assert f"{path}:2: not JSON" in told and f"{path}:3: an item must be an object" in told
    assert told.endswith(f"{path}:5: no id … (3 faulty records of 7)")


def test_bad_records_may_be_skipped_with_a_warning_that_counts_them(tmp_path: Path) -> None:
    path = items(tmp_path, LINES)
    with pytest.warns(RuntimeWarning, match=r"items\.jsonl: 3 of 7 records are skipped: .*:2: not JSON"):
        splits = load_splits(SplitConfig(data_path=str(path), bad_records="skip"), to_task)
    assert sorted(task.id for found in splits.values() for task in found) == ["a", "c", "d", "e"]


def test_a_prepared_split_may_skip_too(tmp_path: Path) -> None:
    for name in ("train", "val", "test"):
        lines = [json.dumps({"id": name}), "broken"] if name == "val" else [json.dumps({"id": name})]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines))
    config = SplitConfig(split_dir=str(tmp_path), bad_records="skip")
    with pytest.warns(RuntimeWarning, match=r"val\.jsonl: 1 of 2 records are skipped"):
        assert [one.id for one in load_splits(config, to_task)["val"]] == ["val"]


def test_nothing_but_bad_records_is_no_data(tmp_path: Path) -> None:
    path = items(tmp_path, ["broken", "too"])
    config = SplitConfig(data_path=str(path), bad_records="skip")
    with pytest.warns(RuntimeWarning), pytest.raises(DataError, match="holds no items that can be used"):
        load_splits(config, to_task)


def test_a_file_with_too_few_items_is_named(tmp_path: Path) -> None:
    path = items(tmp_path, ['{"id": "a"}'])
    with pytest.raises(DataError, match=r"items\.jsonl: 1 items cannot make a train, a val and a test split"):
        load_splits(SplitConfig(data_path=str(path)), to_task)

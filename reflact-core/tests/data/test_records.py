"""Records from files, however they were written."""

import json
from pathlib import Path

import pytest
from reflact.data.records import read
from reflact.errors import DataError


def file(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def raws(path: Path) -> list[dict[str, object]]:
    return [dict(record.raw) for record in read(path)]


def test_a_one_line_jsonl_is_one_item(tmp_path: Path) -> None:
    assert raws(file(tmp_path, "a.jsonl", '{"id": "a", "answer": "x"}')) == [{"id": "a", "answer": "x"}]


def test_blank_lines_bom_and_crlf_do_not_matter_in_jsonl(tmp_path: Path) -> None:
    path = file(tmp_path, "a.jsonl", b'\xef\xbb\xbf\r\n{"id": "a"}\r\n\r\n{"id": "b"}\r\n\r\n')
    assert [(record.raw["id"], record.where) for record in read(path)] == [("a", f"{path}:2"), ("b", f"{path}:4")]


def test_a_line_separator_inside_a_text_does_not_end_a_jsonl_line(tmp_path: Path) -> None:
    assert raws(file(tmp_path, "a.jsonl", '{"id": "a\u2028b\x85"}\n')) == [{"id": "a\u2028b\x85"}]


@pytest.mark.parametrize(
    "content",
    ['[{"id": "a"}, {"id": "b"}]', '{"data": [{"id": "a"}, {"id": "b"}], "version": 1}', '{"id": "a"}\n{"id": "b"}\n'],
    ids=["list", "data", "lines"],
)
def test_json_may_be_a_list_or_data_or_lines(tmp_path: Path, content: str) -> None:
    assert raws(file(tmp_path, "a.json", content)) == [{"id": "a"}, {"id": "b"}]


def test_json_may_map_ids_to_items(tmp_path: Path) -> None:
    path = file(tmp_path, "a.json", '{"7": {"x": 1}, "8": {"x": 2, "id": "own"}}')
    assert raws(path) == [{"id": "7", "x": 1}, {"id": "own", "x": 2}]


def test_csv_values_stay_text_and_know_their_line(tmp_path: Path) -> None:
    path = file(tmp_path, "a.csv", 'id,answer\r\n007,"two\r\nlines, and ""quotes"""\r\n\r\n8,1e3\r\n')
    assert [(dict(record.raw), record.where) for record in read(path)] == [
        ({"id": "007", "answer": 'two\r\nlines, and "quotes"'}, f"{path}:2"),
        ({"id": "8", "answer": "1e3"}, f"{path}:5"),
    ]


def test_csv_may_be_separated_by_semicolons_and_tsv_by_tabs(tmp_path: Path) -> None:
    assert raws(file(tmp_path, "a.csv", "id;answer\n1;a,b\n")) == [{"id": "1", "answer": "a,b"}]
    assert raws(file(tmp_path, "a.tsv", "id\tanswer\n1\ta;b\n")) == [{"id": "1", "answer": "a;b"}]


def test_a_csv_field_may_be_longer_than_the_library_allows_at_first(tmp_path: Path) -> None:
    assert raws(file(tmp_path, "a.csv", f"id,context\n1,{'x' * 200_000}\n"))[0]["context"] == "x" * 200_000


def test_yaml_values_stay_text(tmp_path: Path) -> None:
    path = file(tmp_path, "a.yaml", "- {id: 007, answer: no, at: 1:30, on: 2024-01-01, context: ~}\n- id: b\n")
    assert raws(path) == [{"id": "007", "answer": "no", "at": "1:30", "on": "2024-01-01", "context": None}, {"id": "b"}]


def test_a_folder_with_one_data_file_stands_for_it(tmp_path: Path) -> None:
    file(tmp_path, "items.jsonl", '{"id": "a"}')
    file(tmp_path, "README.md", "about")
    file(tmp_path, "._items.json", "resource fork")
    assert raws(tmp_path) == [{"id": "a"}]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.jsonl", '{"id": 1}\n\n{"id": \n', r"a\.jsonl:3: not JSON"),
        ("a.jsonl", '{"id": 1}\n[1, 2]\n', r"a\.jsonl:2: an item must be an object with named fields, not list"),
        ("a.jsonl", '{"score": NaN}\n', r"a\.jsonl:1: NaN is no JSON number"),
        ("a.json", '[\n{"id": 1},\n{"id" 2}]', r"a\.json:3: not JSON"),
        ("a.json", '[{"id": 1}, "two"]', r"a\.json: item 2: an item must be an object"),
        ("a.json", '{"version": 1}', r"a\.json: holds neither a list of items, nor"),
        ("a.json", "", r"a\.json:1: not JSON"),
        ("a.csv", "id,answer\n1,2,3\n", r"a\.csv:2: 3 fields, but the first line names 2"),
        ("a.csv", 'id,answer\n1,2\n3,"open\n', r"a\.csv:3: not CSV"),
        ("a.csv", "id,id\n1,2\n", r"a\.csv:1: the first line must name every column, each once"),
        ("a.yaml", "- id: 1\n- [unclosed\n", r"a\.yaml:3: not YAML"),
        ("a.json", b'["\xff"]', r"a\.json: not UTF-8 \(byte 2"),
        ("a.docx", "", r"cannot read \.docx; known: \.json \.jsonl"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_place(
    tmp_path: Path, name: str, content: str | bytes, message: str
) -> None:
    with pytest.raises(DataError, match=message):
        read(file(tmp_path, name, content))


def test_a_missing_file_is_named_with_the_place_looked_at(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"nowhere\.json: no such file or folder \(looked at /"):
        read(tmp_path / "nowhere.json")


def test_several_data_files_in_a_folder_are_named(tmp_path: Path) -> None:
    file(tmp_path, "b.csv", "id\n1\n")
    file(tmp_path, "a.json", "[]")
    with pytest.raises(DataError, match=r"2 data files \(a\.json, b\.csv\); keep exactly one"):
        read(tmp_path)


def test_a_folder_without_data_is_told_what_is_needed(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no data file here; one of \.json"):
        read(tmp_path)


def test_text_of_every_script_survives(tmp_path: Path) -> None:
    text = "東の港 – é – 😀 – \\n – {x}"
    assert raws(file(tmp_path, "a.json", json.dumps([{"id": text}])))[0]["id"] == text
    assert raws(file(tmp_path, "b.json", json.dumps([{"id": text}], ensure_ascii=False)))[0]["id"] == text

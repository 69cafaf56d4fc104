"""Records of all the shapes DocVQA comes in."""

import csv
import json
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from reflact import DataError
from reflact.kit.media import Media
from reflact.testing.drawing import encoded, noise, png_bomb
from reflact_env_docvqa.config import DocVQAConfig
from reflact_env_docvqa.data import golds, to_task
from reflact_env_docvqa.env import DocVQA
from reflact_env_docvqa.sample import write_sample

RAW = {
    "questionId": 900001,
    "question": "What is the invoice total?",
    "image": "documents/fake0001_1.png",
    "docId": 70001,
    "ucsf_document_id": "fake0001",
    "ucsf_document_page_no": "1",
    "answers": ["$1,234.00", "1,234.00"],
    "question_types": ["table/list", "form"],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "documents").mkdir()
    for number in range(1, 7):
        (tmp_path / f"documents/fake000{number}_1.png").write_bytes(encoded(Image.new("L", (40, 50), number)))
    return tmp_path


def record(number: int, **fields: Any) -> dict[str, Any]:
    image = f"documents/fake000{number % 6 + 1}_1.png"
    about = {"questionId": number, "question": f"Question {number}?", "docId": number % 6}
    return {**RAW, **about, "image": image, **fields}


def task_of(folder: Path, **fields: Any) -> Any:
    return to_task({**RAW, **fields}, Media([folder]))


def test_a_record_of_the_competition_becomes_a_task(folder: Path) -> None:
    task = task_of(folder)
    assert (task.id, task.kind) == ("900001", "table/list|form")
    assert task.data == {
        "question": "What is the invoice total?",
        "answers": ["$1,234.00", "1,234.00"],
        "image": "documents/fake0001_1.png",
        "page": "70001:1",
    }


@pytest.mark.parametrize(
    ("cell", "answers"),
    [
        ("1,234", ["1,234"]),
        ("1,000", ["1,000"]),
        ("0.30", ["0.30"]),
        ("2.50", ["2.50"]),
        ("1e3", ["1e3"]),
        ("10_000", ["10_000"]),
        ("(12)", ["(12)"]),
        ("[12]", ["[12]"]),
        ("007", ["007"]),
        ("None", ["None"]),
        ("True", ["True"]),
        ("'quoted'", ["'quoted'"]),
        ("[unclosed", ["[unclosed"]),
        ('["a", "b"]', ["a", "b"]),
        ("['a', 'b']", ["a", "b"]),
        ("('a', 'b')", ["a", "b"]),
        ("[" * 5000, ["[" * 5000]),
        ("", []),
        (" ", []),
    ],
)
def test_a_cell_is_a_list_only_where_it_is_a_list_of_texts(cell: str, answers: list[str]) -> None:
    """S1."""
    assert golds(cell) == answers


@pytest.mark.parametrize(
    ("value", "answers"), [(["a", None, "", "b"], ["a", "b"]), ([1984], ["1984"]), (7, ["7"]), (None, []), ([""], [])]
)
def test_blank_answers_are_left_out(value: Any, answers: list[str]) -> None:
    """S5."""
    assert golds(value) == answers


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"questionId": None}, r"no id \(questionId, question_id, id, qid\)"),
        ({"questionId": ""}, "no id"),
        ({"question": ""}, "'900001' has no question"),
        ({"answers": [""]}, "'900001' has a blank answer; leave the field out where the answer is withheld"),
        ({"answers": None, "answer": " "}, "'900001' has a blank answer"),
        ({"question": None, "answers": None}, "neither question nor answers.*materialize"),
        ({"image": None}, "no image"),
        ({"image": "documents/none.png"}, "not found below"),
        ({"image": "../../etc/passwd"}, "not found below|leads out of"),
        ({"image_paths": ["a.png", "b.png"]}, "has 2 images; a question is about one page"),
    ],
)
def test_a_record_that_cannot_be_asked_shown_or_scored_is_refused(
    folder: Path, fields: dict[str, Any], message: str
) -> None:
    """P4, P5, P6, S5."""
    with pytest.raises(DataError, match=message):
        task_of(folder, **fields)


@pytest.mark.parametrize("nothing", [{}, {"answers": None}, {"answers": []}])
def test_a_record_of_the_withheld_test_split_can_be_asked_and_not_scored(folder: Path, nothing: dict[str, Any]) -> None:
    without = {name: value for name, value in RAW.items() if name != "answers"}
    task = to_task({**without, **nothing}, Media([folder]))
    assert (task.scorable, task.data["answers"], task_of(folder).scorable) == (False, [], True)
    assert to_task({"id": task.id, "kind": task.kind, **task.data}, Media([folder])) == task


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("bomb.png", png_bomb(9000, 9000), "9000x9000 pixels"),
        ("cut.jpg", encoded(noise(), "JPEG")[:-50], "truncated"),
        ("drawing.svg", b"<svg/>", "not a PNG"),
        ("empty.png", b"", "is empty"),
    ],
)
def test_an_image_that_cannot_be_used_is_refused_with_its_record(
    folder: Path, name: str, data: bytes, message: str
) -> None:
    """P5, P17."""
    (folder / "documents" / name).write_bytes(data)
    with pytest.raises(DataError, match=message):
        task_of(folder, image=f"documents/{name}")


@pytest.mark.parametrize("name", ["image_path", "image_paths"])
def test_an_image_may_go_by_other_names(folder: Path, name: str) -> None:
    value = "documents/fake0002_1.png"
    assert task_of(folder, **{name: [value] if name == "image_paths" else value}).data["image"] == value


def test_an_image_may_be_in_the_record(folder: Path) -> None:
    data = b64encode(encoded(noise())).decode()
    assert task_of(folder, image={"bytes": data, "path": "x.png"}).data["image"] == {"bytes": data, "path": "x.png"}


def test_a_path_after_the_question_is_the_page_and_no_part_of_the_question(folder: Path) -> None:
    task = task_of(folder, image=None, question="What is it?\ndocument_path: documents/fake0003_1.png")
    assert (task.data["question"], task.data["image"]) == ("What is it?", "documents/fake0003_1.png")


def test_a_task_written_as_a_record_is_the_same_task(folder: Path) -> None:
    task = task_of(folder)
    assert to_task({"id": task.id, "kind": task.kind, **task.data}, Media([folder])) == task


def as_csv(file: Path, rows: list[dict[str, Any]]) -> None:
    columns = ["questionId", "question", "answer", "image_path", "topic", "docId"]
    with file.open("w", encoding="utf-8-sig", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\r\n")
        writer.writerow(columns)
        for row in rows:
            answers = str(row["answers"]) if len(row["answers"]) > 1 else row["answers"][0]
            writer.writerow([row["questionId"], row["question"], answers, row["image"], "form", row["docId"]])


def as_json(file: Path, rows: list[dict[str, Any]]) -> None:
    file.write_text(json.dumps(rows), encoding="utf-8")


def as_wrapped(file: Path, rows: list[dict[str, Any]]) -> None:
    file.write_text(json.dumps({"dataset_name": "docvqa", "dataset_split": "val", "data": rows}), encoding="utf-8")


def as_jsonl(file: Path, rows: list[dict[str, Any]]) -> None:
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@pytest.mark.parametrize("prepared", [True, False])
@pytest.mark.parametrize(
    ("name", "write"),
    [("x.csv", as_csv), ("x.json", as_json), ("val_v1.0.json", as_wrapped), ("x.jsonl", as_jsonl)],
)
def test_every_file_form_can_be_a_split_or_raw_data(folder: Path, name: str, write: Any, *, prepared: bool) -> None:
    """B3: ratio mode reads what it writes, and a prepared split may be CSV or JSON."""
    rows = [record(number, answers=["1,234"] if number % 2 else ["a", "b"]) for number in range(12)]
    if prepared:
        for place, split in enumerate(("train", "val", "test")):
            (folder / "split" / split).mkdir(parents=True)
            write(folder / "split" / split / name, rows[place * 4 : place * 4 + 4])
        config = DocVQAConfig(split_dir=str(folder / "split"), data_root=str(folder))
    else:
        write(folder / name, rows)
        config = DocVQAConfig(data_path=str(folder / name), split_ratio="1:1:1", split_output_dir=str(folder / "made"))
    found = [one for split in ("train", "val", "test") for one in DocVQA(config).tasks(split)]
    again = [one for split in ("train", "val", "test") for one in DocVQA(config).tasks(split)]
    assert {one.id for one in found} == {str(number) for number in range(12)}
    assert {tuple(one.data["answers"]) for one in found} == {("1,234",), ("a", "b")}
    assert again == found


def test_questions_about_one_page_never_part(tmp_path: Path) -> None:
    """P16."""
    write_sample(tmp_path, 60, 3)
    env = DocVQA(DocVQAConfig(data_path=str(tmp_path)))
    pages = [{one.data["page"] for one in env.tasks(split)} for split in ("train", "val", "test")]
    assert all(pages)
    assert not (pages[0] & pages[1] or pages[1] & pages[2] or pages[0] & pages[2])


def test_faulty_records_are_counted_and_the_first_three_named_before_anything_is_asked(folder: Path) -> None:
    """P5."""
    rows = [
        record(number, image=f"documents/gone{number}.png") if number < 5 else record(number) for number in range(9)
    ]
    as_json(folder / "x.json", rows)
    with pytest.raises(DataError) as caught:
        DocVQA(DocVQAConfig(data_path=str(folder / "x.json")))
    message = str(caught.value)
    assert "(5 faulty records of 9)" in message
    assert all(f"item {number}: image 'documents/gone{number - 1}.png'" in message for number in (1, 2, 3))
    assert "env.data_root" in message and "lmms-lab/DocVQA" in message


def test_ids_that_stand_twice_are_refused(folder: Path) -> None:
    """P4."""
    as_json(folder / "x.json", [record(0), record(1), record(2), record(3), record(3, docId=99)])
    with pytest.raises(DataError, match="id '3' occurs twice"):
        DocVQA(DocVQAConfig(data_path=str(folder / "x.json")))


def test_a_split_of_ids_alone_says_how_to_fill_it(folder: Path) -> None:
    for split in ("train", "val", "test"):
        (folder / "ids" / split).mkdir(parents=True)
        as_json(folder / "ids" / split / "items.json", [{"questionId": 1, "image_path": "x.png"}])
    with pytest.raises(DataError, match=r"has an id but neither question nor answers.*materialize"):
        DocVQA(DocVQAConfig(split_dir=str(folder / "ids")))


def test_missing_data_say_where_they_were_looked_for_and_where_to_get_them() -> None:
    with pytest.raises(DataError) as caught:
        DocVQA(DocVQAConfig(split_dir="no/such/split"))
    words = ("no/such/split: no such folder", "train, val and test", ".csv, .json or .jsonl", "rrc.cvc.uab.es")
    assert all(word in str(caught.value) for word in words)


def test_the_sample_is_the_same_for_a_seed_and_holds_the_hard_cases(tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        write_sample(tmp_path / name, 48, seed)
    first, again, other = (json.loads((tmp_path / name / "items.json").read_text("utf-8"))["data"] for name in "abc")
    assert first == again != other
    answers = {answer for one in first for answer in one["answers"]}
    assert {"0.30", "1e3", "10_000"} & answers and any("$" in answer for answer in answers)
    assert any(not answer.isascii() for answer in answers)
    assert any(len(one["answers"]) > 1 for one in first)
    sizes = {Image.open(file).size for file in (tmp_path / "a" / "documents").iterdir()}
    assert (5000, 7000) in sizes
    pixels = [Image.open(tmp_path / name / "documents/made0000_1.png").tobytes() for name in "ab"]
    assert pixels[0] == pixels[1]
    assert sum(file.stat().st_size for file in (tmp_path / "a").rglob("*") if file.is_file()) < 400_000


def test_a_parquet_file_with_the_pages_in_it_is_read(folder: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="needs reflact-core[parquet]")
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs reflact-core[parquet]")
    rows = [record(number, image={"bytes": encoded(noise()), "path": None}) for number in range(6)]
    parquet.write_table(pyarrow.Table.from_pylist(rows), folder / "x.parquet")
    config = DocVQAConfig(
        data_path=str(folder / "x.parquet"), split_ratio="1:1:1", split_output_dir=str(folder / "made")
    )
    found = [one for split in ("train", "val", "test") for one in DocVQA(config).tasks(split)]
    assert sorted(one.id for one in found) == list("012345")
    assert all(one.data["image"].keys() == {"bytes"} for one in found)

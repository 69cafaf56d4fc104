"""Records of all the shapes BabyVision comes in."""

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from reflact import DataError, Split
from reflact.kit.media import Media
from reflact.testing.drawing import encoded, noise
from reflact_env_babyvision.config import BabyVisionConfig
from reflact_env_babyvision.data import to_task
from reflact_env_babyvision.env import BabyVision
from reflact_env_babyvision.sample import write_sample

SPLITS: tuple[Split, ...] = ("train", "val", "test")
CHOICE = {
    "taskId": 9001,
    "type": "Visual Tracking",
    "subtype": "Maze",
    "image": "images/9001.png",
    "question": "Which exit does the path reach?",
    "ansType": "choice",
    "options": ["Top", "Left", "Right"],
    "choiceAns": 2,
    "blankAns": None,
    "coT": "Follow the open corridor.",
}
BLANK = {**CHOICE, "ansType": "blank", "options": [], "choiceAns": None, "blankAns": "(2,4)", "coT": ""}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "9001.png").write_bytes(encoded(noise()))
    return tmp_path


def task_of(folder: Path, raw: dict[str, Any], **fields: Any) -> Any:
    return to_task({**raw, **fields}, Media([folder, folder / "images"]))


def test_a_choice_becomes_a_task(folder: Path) -> None:
    task = task_of(folder, CHOICE)
    assert (task.id, task.kind) == ("9001", "Maze")
    assert task.data == {
        "question": "Which exit does the path reach?",
        "image": "images/9001.png",
        "options": {"A": "Top", "B": "Left", "C": "Right"},
        "label": "C",
        "answers": [],
        "type": "Visual Tracking",
        "cot": "Follow the open corridor.",
    }


@pytest.mark.parametrize(
    ("options", "right", "label"),
    [
        (["2", "0", "1"], "1", "B"),
        (["2", "0", "1"], 1, "B"),
        (["2", "0", "1"], 1.0, "B"),
        (["2", "0", "1"], "1.0", "B"),
        (["red", "blue"], "1", "B"),
        (["red", "blue"], 0, "A"),
        (["red", "", None, "blue"], 3, "D"),
        (["red", "blue"], "B", "B"),
        (["red", "blue"], "(b)", "B"),
        ({"A": "red", "B": "blue"}, "B", "B"),
        ({"A": "red", "B": "blue"}, 1, "B"),
        ([{"label": "A", "text": "red"}, {"label": "B", "text": "blue"}], {"label": "B", "text": "blue"}, "B"),
        ([{"content": "red"}, {"option": "blue"}], 1, "B"),
        ([3, 4.5], 1, "B"),
    ],
)
def test_the_right_option_is_an_index_from_zero_over_all_options_or_a_label(
    folder: Path, options: Any, right: Any, label: str
) -> None:
    """S12: digits are an index, blank options count, integral floats are numbers."""
    task = task_of(folder, CHOICE, options=options, choiceAns=right)
    assert task.data["label"] == label
    assert all(task.data["options"].values())


@pytest.mark.parametrize(
    ("raw", "fields", "message"),
    [
        (CHOICE, {"choiceAns": 3}, "choiceAns 3 is neither an index from 0 nor a label of 3 options"),
        (CHOICE, {"choiceAns": -1}, "choiceAns -1 is neither"),
        (CHOICE, {"choiceAns": 1.5}, r"choiceAns 1\.5 is neither"),
        (CHOICE, {"choiceAns": True}, "choiceAns True is neither"),
        (CHOICE, {"choiceAns": None}, "choiceAns None is neither"),
        (CHOICE, {"choiceAns": "red"}, "choiceAns 'red' is neither"),
        (CHOICE, {"options": ["a", "", "c"], "choiceAns": 1}, "is option B, which has no text"),
        (CHOICE, {"options": ["a"], "choiceAns": 0}, "1 options with a text; a choice needs two"),
        (CHOICE, {"options": None}, "neither an index"),
        (CHOICE, {"options": "abc"}, "must be a list or a mapping, not str"),
        (CHOICE, {"options": ["x"] * 27}, "27 options; there are letters for 26"),
        (CHOICE, {"options": [{"label": "A", "text": "x"}] * 2}, "labels of options stand twice"),
        (CHOICE, {"options": {"first": "x", "B": "y"}}, "label 'FIRST' of an option is no letter"),
        (CHOICE, {"ansType": "essay"}, "ansType 'essay' is neither choice nor blank"),
        (CHOICE, {"taskId": None}, "no id"),
        (CHOICE, {"question": " "}, "'9001' has no question"),
        (BLANK, {"blankAns": None}, "'9001': no blankAns"),
        (BLANK, {"blankAns": ["", None]}, "no blankAns"),
        (BLANK, {"image": None}, "'9001': no image"),
        (BLANK, {"image": "images/9002.png"}, "'9001': image 'images/9002.png' not found below"),
        (BLANK, {"image": "../meta.png"}, "not found below|leads out of"),
    ],
)
def test_a_record_that_cannot_be_asked_shown_or_graded_is_refused(
    folder: Path, raw: dict[str, Any], fields: dict[str, Any], message: str
) -> None:
    """P4, P5, P6, S12."""
    with pytest.raises(DataError, match=message):
        task_of(folder, raw, **fields)


@pytest.mark.parametrize(
    ("value", "answers"), [("(2,4)", ["(2,4)"]), (7, ["7"]), (0, ["0"]), (["a", None, "", "b"], ["a", "b"])]
)
def test_several_blank_answers_are_alternatives(folder: Path, value: Any, answers: list[str]) -> None:
    assert task_of(folder, BLANK, blankAns=value).data["answers"] == answers


@pytest.mark.parametrize(
    ("told", "is_choice"),
    [("mcq", True), ("Multiple_Choice", True), ("option", True), ("open_ended", False), ("short_answer", False)],
)
def test_the_kind_of_answer_goes_by_several_names(folder: Path, told: str, *, is_choice: bool) -> None:
    task = task_of(folder, CHOICE, ansType=told, blankAns="x")
    assert bool(task.data["options"]) == is_choice


def test_the_kind_of_answer_is_inferred_where_it_is_not_told(folder: Path) -> None:
    assert task_of(folder, CHOICE, ansType=None).data["label"] == "C"
    assert task_of(folder, BLANK, ansType=None).data["answers"] == ["(2,4)"]


@pytest.mark.parametrize("name", ["images/9001.png", "9001.png"])
def test_a_picture_is_looked_for_beside_the_data_and_in_its_folder(folder: Path, name: str) -> None:
    assert task_of(folder, CHOICE, image=name).data["image"] == name


def test_a_normalised_record_is_read_in_its_own_names(folder: Path) -> None:
    raw = {
        "id": "n1",
        "task_type": "Maze",
        "subtype": "Maze",
        "question": "Which?",
        "image_path": "images/9001.png",
        "ans_type": "choice",
        "choices": [{"label": "A", "text": "x"}, {"label": "B", "text": "y"}],
        "correct_choice": {"label": "B", "text": "y"},
        "blank_answers": [],
        "cot": "look",
    }
    task = to_task(raw, Media([folder]))
    assert (task.id, task.kind, task.data["label"], task.data["cot"]) == ("n1", "Maze", "B", "look")
    blank = {**raw, "ans_type": "blank", "choices": [], "correct_choice": None, "blank_answers": ["4"]}
    assert to_task(blank, Media([folder])).data["answers"] == ["4"]


@pytest.mark.parametrize("raw", [CHOICE, BLANK])
def test_a_task_written_as_a_record_is_the_same_task(folder: Path, raw: dict[str, Any]) -> None:
    task = task_of(folder, raw)
    assert to_task({"id": task.id, "kind": task.kind, **task.data}, Media([folder])) == task


@pytest.mark.parametrize("given", ["folder", "file"])
def test_raw_data_may_be_the_folder_or_its_file_and_are_dealt_alike(tmp_path: Path, given: str) -> None:
    write_sample(tmp_path / "raw", 20, 3)
    path = tmp_path / "raw" / ("" if given == "folder" else "meta_data.jsonl")
    config = BabyVisionConfig(data_path=str(path), split_output_dir=str(tmp_path / "made"))
    env, again = BabyVision(config), BabyVision(config)
    assert [len(env.tasks(split)) for split in SPLITS] == [4, 2, 14]
    assert [env.tasks(split) for split in SPLITS] == [again.tasks(split) for split in SPLITS]


def test_a_prepared_split_is_read_and_can_be_moved(tmp_path: Path) -> None:
    write_sample(tmp_path / "raw", 12, 3)
    lines = (tmp_path / "raw" / "meta_data.jsonl").read_text(encoding="utf-8").splitlines()
    for place, split in enumerate(SPLITS):
        (tmp_path / "split" / split).mkdir(parents=True)
        text = "\n".join(lines[place * 4 : place * 4 + 4])
        (tmp_path / "split" / split / "items.jsonl").write_text(text, encoding="utf-8")
    (tmp_path / "raw" / "images").rename(tmp_path / "split" / "images")
    (tmp_path / "split").rename(tmp_path / "elsewhere")
    env = BabyVision(BabyVisionConfig(split_dir=str(tmp_path / "elsewhere")))
    assert [one.id for split in SPLITS for one in env.tasks(split)] == [str(9000 + n) for n in range(12)]


def test_faulty_records_are_counted_and_the_first_three_named_before_anything_is_asked(tmp_path: Path) -> None:
    """P5, S12: nothing vanishes silently."""
    write_sample(tmp_path, 9, 3)
    for number in range(5):
        (tmp_path / "images" / f"{9000 + number}.png").unlink()
    with pytest.raises(DataError) as caught:
        BabyVision(BabyVisionConfig(data_path=str(tmp_path)))
    message = str(caught.value)
    assert "(5 faulty records of 9)" in message
    assert all(f"meta_data.jsonl:{number + 1}: '{9000 + number}': image" in message for number in range(3))
    assert all(word in message for word in ("UniPat-AI/BabyVision", "env.data_path", "env.split_dir"))


@pytest.mark.parametrize("given", ["raw", "raw/babyvision_data/images"])
def test_data_that_lie_near_are_pointed_at(tmp_path: Path, given: str) -> None:
    write_sample(tmp_path / "raw" / "babyvision_data", 3, 3)
    with pytest.raises(
        DataError, match=r"There is .*meta_data\.jsonl: did you mean env\.data_path=.*babyvision_data\?"
    ):
        BabyVision(BabyVisionConfig(data_path=str(tmp_path / given)))


def test_ids_that_stand_twice_are_refused(tmp_path: Path) -> None:
    """P4."""
    write_sample(tmp_path, 4, 3)
    file = tmp_path / "meta_data.jsonl"
    file.write_text(file.read_text(encoding="utf-8").replace("9001,", "9000,"), encoding="utf-8")
    with pytest.raises(DataError, match="id '9000' occurs twice"):
        BabyVision(BabyVisionConfig(data_path=str(tmp_path)))


def test_without_a_path_it_is_said_what_is_missing() -> None:
    """B5."""
    with pytest.raises(DataError, match=r"env\.data_path is not set.*\n.*meta_data\.jsonl and images/"):
        BabyVision(BabyVisionConfig())


def test_the_sample_is_the_same_for_a_seed_and_holds_the_hard_cases(tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        write_sample(tmp_path / name, 24, seed)
    first, again, other = (
        [json.loads(line) for line in (tmp_path / name / "meta_data.jsonl").read_text("utf-8").splitlines()]
        for name in "abc"
    )
    assert first == again != other
    assert {type(one["choiceAns"]) for one in first} == {int, str, float, type(None)}
    assert any(None in one["options"] and "1" in one["options"] for one in first)
    assert any(isinstance(one["blankAns"], list) and "（" in one["blankAns"][0] for one in first)
    assert {one["image"].partition("/")[0] == "images" for one in first} == {True, False}
    assert {Image.open(file).mode for file in (tmp_path / "a" / "images").iterdir()} == {"RGB", "RGBA", "P"}
    pixels = [Image.open(tmp_path / name / "images/9000.png").tobytes() for name in "ab"]
    assert pixels[0] == pixels[1]
    assert sum(file.stat().st_size for file in (tmp_path / "a").rglob("*") if file.is_file()) < 100_000

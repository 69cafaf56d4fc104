"""From official files to tasks and splits."""

import json
import shutil
import warnings
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from reflact import ConfigError, DataError, Split, Task
from reflact.testing.drawing import encoded, noise, png_bomb
from reflact_env_mathverse.config import MathVerseConfig
from reflact_env_mathverse.env import MathVerse
from reflact_env_mathverse.source import files

SPLITS: tuple[Split, ...] = ("train", "val", "test")


def items(sample: Path, name: str = "testmini.json") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((sample / name).read_text(encoding="utf-8"))
    return found


def mathverse(sample: Path, **config: Any) -> MathVerse:
    return MathVerse(MathVerseConfig(**{"data_root": str(sample), **config}))


def tasks(env: MathVerse) -> list[Task]:
    return [task for split in SPLITS for task in env.tasks(split)]


def prepared(folder: Path, sample: Path, parts: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    for split, found in parts.items():
        (folder / split).mkdir(parents=True)
        (folder / split / "items.json").write_text(json.dumps(found), encoding="utf-8")
    return {"split_dir": str(folder), "data_root": str(sample)}


def written(folder: Path, found: list[dict[str, Any]], sample: Path) -> dict[str, Any]:
    (folder / "raw.json").write_text(json.dumps(found), encoding="utf-8")
    return {"data_path": str(folder / "raw.json"), "data_root": str(sample)}


def test_a_data_root_is_enough_and_holds_one_version_of_each_problem(sample: Path) -> None:
    """B5: an unset data_path was read as the working folder."""
    found = tasks(mathverse(sample))
    assert len(found) == 24
    assert {task.data["version"] for task in found} == {"Text Lite"}
    assert {task.id for task in found} == {str(1000 + number) for number in range(24)}


def test_a_prepared_split_in_the_official_form_loads(tmp_path: Path, sample: Path) -> None:
    """B2: `split_dir` never reached the loader, and setup failed or read a stray file."""
    raw = [one for one in items(sample) if one["problem_version"] == "Text Lite"]
    config = prepared(tmp_path, sample, {"train": raw[:3], "val": raw[3:5], "test": raw[5:]})
    env = mathverse(sample, **config)
    assert [len(env.tasks(split)) for split in SPLITS] == [3, 2, 19]
    assert [task.id for task in env.tasks("train")] == ["1000", "1001", "1002"]


def test_all_versions_have_ids_of_their_own_and_stay_in_one_split(sample: Path) -> None:
    """P4 (five items per id) and P16 (versions of one problem in several splits)."""
    env = mathverse(sample, problem_version="", split_ratio="1:1:1")
    found = tasks(env)
    assert len({task.id for task in found}) == len(found) == 24 * 5
    assert "1003-vision-only" in {task.id for task in found}
    homes = [{task.data["problem"] for task in env.tasks(split)} for split in SPLITS]
    assert sum(map(len, homes)) == 24


def test_reports_can_tell_versions_subjects_or_subfields_apart(sample: Path) -> None:
    for name, some in (("version", "Vision Only"), ("subject", "Plane Geometry"), ("subfield", "Angle")):
        kinds = {task.kind for task in tasks(mathverse(sample, problem_version="", report_by=name))}
        assert some in kinds
        assert len(kinds) in (3, 5)


def test_problems_that_are_copies_of_each_other_stay_in_one_split(tmp_path: Path, sample: Path) -> None:
    """P16: the official file holds pairs of problems with one text and one answer."""
    raw = [one for one in items(sample) if one["problem_version"] == "Text Lite"]
    copies = [{**one, "problem_index": f"copy-{one['problem_index']}"} for one in raw]
    env = mathverse(sample, **written(tmp_path, [*raw, *copies], sample), split_ratio="1:1:1")
    for split in SPLITS:
        here = {task.data["problem"] for task in env.tasks(split)}
        assert here == {
            name for task in env.tasks(split) for name in (task.data["group"], f"copy-{task.data['group']}")
        }


def test_versions_of_one_problem_in_two_prepared_splits_are_refused(tmp_path: Path, sample: Path) -> None:
    """P16: a prepared split must not give itself away either."""
    raw = items(sample)
    config = prepared(tmp_path, sample, {"train": raw[:3], "val": raw[3:5], "test": raw[5:]})
    with pytest.raises(DataError, match=r"versions of 1 problems stand in two splits.*: 1000\."):
        mathverse(sample, **config, problem_version="")


def test_copies_in_two_prepared_splits_are_told(tmp_path: Path, sample: Path) -> None:
    raw = [one for one in items(sample) if one["problem_version"] == "Text Lite"][:6]
    grouped = [{**one, "group": "twins" if number in (0, 5) else f"g{number}"} for number, one in enumerate(raw)]
    config = prepared(tmp_path, sample, {"train": grouped[:2], "val": grouped[2:4], "test": grouped[4:]})
    with pytest.warns(RuntimeWarning, match="1 problems stand in two splits, with the same text and answer: twins"):
        mathverse(sample, **config)


def test_a_dealt_split_is_read_again_as_it_was_dealt(tmp_path: Path, sample: Path) -> None:
    given = {"problem_version": "", "split_output_dir": str(tmp_path / "dealt"), "split_ratio": "1:1:1"}
    first = mathverse(sample, **given)
    again = mathverse(sample, **given)
    by_hand = mathverse(sample, split_dir=str(tmp_path / "dealt"), problem_version="")
    for split in SPLITS:
        assert list(first.tasks(split)) == list(again.tasks(split)) == list(by_hand.tasks(split))


def test_a_dealt_split_of_another_version_is_refused(tmp_path: Path, sample: Path) -> None:
    folder = str(tmp_path / "dealt")
    mathverse(sample, split_output_dir=folder)
    with pytest.raises(DataError, match=r"dealt .* in another way"):
        mathverse(sample, split_output_dir=folder, problem_version="Vision Intensive")


def test_text_only_needs_no_image_and_others_do(tmp_path: Path, sample: Path) -> None:
    """P5: items without an image vanished, so that Text Only had none left."""
    assert all(task.data["image"] is None for task in tasks(mathverse(sample, problem_version="text only")))
    raw = [{**one, "image": ""} for one in items(sample)]
    with pytest.raises(DataError, match=r"problem '1000' has no image, .*\(24 faulty records of 24\)"):
        mathverse(sample, **written(tmp_path, raw, sample))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"answer": ""}, "problem '1000' has no answer"),
        ({"answer": None}, "problem '1000' has no answer"),
        ({"answer": "E"}, "its answer 'E' is none of its options A, B, C, D"),
        ({"question": ""}, r"problem '1000' \(Text Lite\) has no question"),
        ({"image": "images_version_1-4/nowhere.png"}, "nowhere.png' not found below"),
        ({"image": "../secret.png"}, "secret.png' not found below"),
        ({"problem_index": None, "sample_index": ""}, r"no problem_index \(nor sample_index\)"),
    ],
)
def test_an_item_that_cannot_be_used_is_named_before_anything_is_asked(
    tmp_path: Path, sample: Path, change: dict[str, Any], message: str
) -> None:
    """P5 and P6: such items vanished, and paths led anywhere."""
    raw = [one for one in items(sample) if one["problem_version"] == "Text Lite"]
    with pytest.raises(DataError, match=message):
        mathverse(sample, **written(tmp_path, [{**raw[0], **change}, *raw[1:]], sample))


def test_items_that_cannot_be_used_are_skipped_and_counted_on_request(tmp_path: Path, sample: Path) -> None:
    raw = [one for one in items(sample) if one["problem_version"] == "Text Lite"]
    faulty = [{**one, "image": "nowhere.png"} for one in raw[:2]]
    config = written(tmp_path, [*faulty, *raw[2:]], sample)
    with pytest.warns(RuntimeWarning, match="2 of 24 records are skipped"):
        assert len(tasks(mathverse(sample, **config, bad_records="skip"))) == 22


def test_an_image_outside_the_data_is_refused(tmp_path: Path, sample: Path) -> None:
    """P6: an absolute path was read and sent to whoever serves the model."""
    secret = tmp_path / "secret.png"
    secret.write_bytes(next((sample / "images").rglob("*.png")).read_bytes())
    (tmp_path / "data").mkdir()
    raw = [{**one, "image": str(secret)} for one in items(sample)]
    with pytest.raises(DataError, match="is absolute and outside the data"):
        mathverse(sample, **written(tmp_path / "data", raw, sample))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "not a PNG, JPEG"),
        (png_bomb(9000, 9000), "9000x9000 pixels"),
        (encoded(noise(), "JPEG")[:-900], "truncated"),
    ],
)
def test_a_hostile_image_is_refused_by_its_header(tmp_path: Path, sample: Path, content: bytes, message: str) -> None:
    """P17: names told what a file was, and nothing was looked at before it was sent."""
    copy = Path(shutil.copytree(sample, tmp_path / "copy"))
    (copy / "images" / "images_version_1-4" / "image_1000.png").write_bytes(content)
    with pytest.raises(DataError, match=rf"item 2.*{message}"):
        mathverse(copy)


def test_the_same_problem_twice_is_refused(tmp_path: Path, sample: Path) -> None:
    """P4: equal ids were never looked for."""
    raw = [one for one in items(sample) if one["problem_version"] == "Text Lite"]
    with pytest.raises(DataError, match="id '1000' occurs twice"):
        mathverse(sample, **written(tmp_path, [*raw, raw[0]], sample))


def test_a_filter_that_leaves_nothing_tells_what_there_is(tmp_path: Path, sample: Path) -> None:
    raw = [one for one in items(sample) if one["problem_version"] != "Vision Only"]
    with pytest.raises(DataError, match="no item of Vision Only; it holds Text Dominant: 24, Text Lite: 24"):
        mathverse(sample, **written(tmp_path, raw, sample), problem_version="Vision Only")


def test_a_version_that_does_not_exist_is_refused_with_the_nearest() -> None:
    with pytest.raises(ValidationError, match=r"unknown version 'Text Light'\. Did you mean 'Text Lite'"):
        MathVerseConfig(problem_version="Text Light")


def test_missing_data_say_where_they_were_looked_for_and_what_would_do() -> None:
    with pytest.raises(DataError) as caught:
        MathVerse(MathVerseConfig())
    message = str(caught.value)
    assert all(word in message for word in ("data/MathVerse", "testmini.json", "images_version_1-4", "images.zip"))


def test_without_a_judge_data_that_need_one_are_refused_with_their_number(sample: Path) -> None:
    with pytest.raises(ConfigError, match=r"judge_mode is never, but 11 of 24 problems need a judge.*question_type"):
        mathverse(sample, judge_mode="never")
    assert len(tasks(mathverse(sample, judge_mode="never", question_type="multi-choice"))) == 11


def test_the_wordiest_version_is_a_reference_only_where_it_is_wanted(tmp_path: Path, sample: Path) -> None:
    raw = [one for one in items(sample) if one["problem_version"] == "Text Lite"]
    config = written(tmp_path, raw, sample)
    plain, told = mathverse(sample, **config), mathverse(sample, **config, use_text_dominant_reference=True)
    task = told.tasks("train")[0]
    assert {plain.reference(one) for one in tasks(plain)} == {""}
    wordings = {
        one["problem_index"]: one["question"] for one in items(sample) if "Dominant" in one["problem_version"][:13]
    }
    assert told.reference(task) == wordings[task.data["problem"]]


def test_a_reference_that_nobody_has_is_refused(tmp_path: Path, sample: Path) -> None:
    raw = [one for one in items(sample) if one["problem_version"] == "Text Lite"]
    config = written(tmp_path, raw, sample)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "testmini.json").write_text(json.dumps(raw), encoding="utf-8")
    (tmp_path / "other" / "images").symlink_to(sample / "images")
    with pytest.raises(DataError, match="none of the 24 problems has a version 'Text Dominant'"):
        mathverse(sample, **{**config, "data_root": str(tmp_path / "other")}, use_text_dominant_reference=True)


@pytest.mark.parametrize(
    ("given", "mode", "path"),
    [
        ({}, "ratio", "data/MathVerse"),
        ({"data_root": "mine"}, "ratio", "mine"),
        ({"data_path": "raw.json"}, "ratio", "raw.json"),
        ({"split_dir": "split"}, "split_dir", ""),
    ],
)
def test_the_data_are_below_the_root_unless_a_split_is_given(given: dict[str, Any], mode: str, path: str) -> None:
    config = MathVerseConfig(**given)
    assert (config.split_mode, config.data_path) == (mode, path)


def test_records_of_a_local_copy_can_be_kept_in_a_file_of_ones_own(tmp_path: Path, sample: Path) -> None:
    rows = list(files(sample))
    assert len({row["id"] for row in rows}) == 24 * 5
    (tmp_path / "items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    env = mathverse(sample, data_path=str(tmp_path), problem_version="Vision Only")
    assert len(tasks(env)) == 24
    with pytest.raises(DataError, match="by hand: fetch testmini"):
        list(files(None))


def test_the_defaults_are_those_that_were_promised() -> None:
    config = MathVerseConfig()
    assert (config.data_root, config.problem_version, config.max_turns) == ("data/MathVerse", "Text Lite", 1)
    assert (config.use_text_dominant_reference, config.judge_mode, config.split_ratio) == (False, "auto", "2:1:7")


def test_the_sample_is_the_same_for_a_seed_and_holds_the_hard_cases(sample: Path) -> None:
    found = items(sample)
    golds = {one["answer"] for one in found}
    assert {"(B)", "False", "C\nD", "\\frac{1}{23}"} <= golds
    assert any(gold.endswith("^\\circ ") for gold in golds)
    assert any(gold.endswith(".4 m") for gold in golds)
    assert any("掳" in gold for gold in golds)
    assert all(not one["question"] for one in found if one["problem_version"] == "Vision Only")
    assert any("Choice:\n" in one["question"] for one in found)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mathverse(sample, problem_version="")

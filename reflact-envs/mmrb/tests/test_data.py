"""From the official layout to tasks and splits."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from reflact import DataError, Split, Task
from reflact.data.ids import safe_id
from reflact_env_mmrb.cases import DOT, PAIRS
from reflact_env_mmrb.config import MMRBConfig
from reflact_env_mmrb.env import MMRB
from reflact_env_mmrb.layout import records, sources
from reflact_env_mmrb.sample import FOLDERS
from reflact_env_mmrb.source import folders

SPLITS: tuple[Split, ...] = ("train", "val", "test")
DOUBLE = "items are left out"
pytestmark = pytest.mark.filterwarnings(f"ignore:.*{DOUBLE}:RuntimeWarning")


def mmrb(path: Path, **config: Any) -> MMRB:
    return MMRB(MMRBConfig(**{"data_path": str(path), "split_ratio": "1:1:1", **config}))


def tasks(env: MMRB) -> list[Task]:
    return [task for split in SPLITS for task in env.tasks(split)]


def human(folder: Path, subtask: str) -> Path:
    return folder / FOLDERS[subtask] / f"{FOLDERS[subtask]}_human.json"


def items(folder: Path, subtask: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(human(folder, subtask).read_text(encoding="utf-8"))
    return found


@pytest.fixture
def copy(sample: Path, tmp_path: Path) -> Path:
    """The sample, to be changed."""
    return Path(shutil.copytree(sample, tmp_path / "copy"))


def change(folder: Path, subtask: str, number: int, **fields: Any) -> None:
    found = items(folder, subtask)
    found[number] = {**found[number], **fields}
    human(folder, subtask).write_text(json.dumps(found), encoding="utf-8")


def test_the_official_layout_loads_whole(sample: Path) -> None:
    found = tasks(mmrb(sample))
    assert len(found) == 20
    assert {task.kind for task in found} == {DOT, PAIRS}
    assert {task.id for task in found if task.kind == PAIRS} >= {f"made up:{PAIRS}:1"}


def test_ids_of_any_form_give_harmless_folders_of_their_own(sample: Path) -> None:
    """P3: ids with colons and spaces were used as names of folders."""
    names = [safe_id(task.id) for task in tasks(mmrb(sample))]
    assert len({name.casefold() for name in names}) == 20
    assert not any(set(name) & set(": /\\") for name in names)


def test_the_first_of_equal_keys_is_kept_and_the_others_are_counted(copy: Path) -> None:
    """P4: equal ids were never looked for."""
    change(copy, DOT, -1, question="another question")
    with pytest.warns(RuntimeWarning, match=r"2 of 22 items are left out.*\(1 of them say something else\)"):
        env = mmrb(copy)
    assert "another question" not in {task.data["question"] for task in tasks(env)}


def test_images_keep_their_order_and_their_number(sample: Path) -> None:
    found = {task.id: task.data["images"] for task in tasks(mmrb(sample))}
    assert [len(found[f"made up:{DOT}:{number}"]) for number in (0, 7 - 1)] == [4, 4]
    assert len(found[f"made up:{DOT}:7"]) == 21
    assert found[f"made up:{DOT}:7"][10] == "001_Moving_Dot/images/frame_é_7_11.png"
    assert found[f"made up:{PAIRS}:9"] == [f"002_Spot_the_Difference/images/paar_9_{place}.png" for place in (1, 2)]


@pytest.mark.parametrize(
    ("given", "order"),
    [
        (["a", "b"], ["a", "b"]),
        ([{"path_index": 2, "path": ["b"]}, {"path_index": 1, "path": ["a"]}], ["a", "b"]),
        ({"path_index": 0, "path": ["a", "b"]}, ["a", "b"]),
        ([{"bytes": "QQ==", "path": "a"}], [{"bytes": "QQ==", "path": "a"}]),
        ("a", ["a"]),
        (["a", "a"], ["a", "a"]),
        (None, []),
    ],
)
def test_images_are_listed_in_every_published_form(given: Any, order: list[Any]) -> None:
    assert sources(given) == order


def test_a_missing_image_fails_its_item_and_never_shifts_the_others(copy: Path) -> None:
    """P5: a missing image was dropped, so that every later marker named another one."""
    next((copy / FOLDERS[DOT] / "images").glob("*_7_3.png")).unlink()
    (copy / FOLDERS[PAIRS] / "images" / "paar_1_1.png").unlink()
    with pytest.raises(DataError) as caught:
        mmrb(copy)
    message = str(caught.value)
    assert "'made up:Moving Dot:7', image 3 of 21" in message
    assert "(2 faulty records of 20)" in message
    assert f"unusable items by sub-task: {DOT} 1, {PAIRS} 1" in message
    with pytest.warns(RuntimeWarning, match="2 of 20 records are skipped"):
        assert len(tasks(mmrb(copy, bad_records="skip"))) == 18


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"answer": ""}, "has no answer"),
        ({"question": " "}, "has no question"),
        ({"image_paths": []}, "has no images"),
        ({"index": None}, "no id: source, subtask and index are needed"),
        ({"image_paths": ["../../../secret.png"]}, "not found below|leads out of"),
        ({"image_paths": ["images/" + "x" * 300]}, "not found below"),
    ],
)
def test_an_item_that_cannot_be_used_is_named(copy: Path, fields: dict[str, Any], message: str) -> None:
    """P5 and P6: such items vanished, and paths led anywhere."""
    change(copy, DOT, 1, **fields)
    with pytest.raises(DataError, match=message):
        mmrb(copy)


def test_a_link_out_of_the_data_is_refused(copy: Path, tmp_path: Path) -> None:
    """P6: what a link led to was read and sent away."""
    secret = tmp_path / "secret.png"
    target = copy / FOLDERS[DOT] / "images" / "frame_é_0_1.png"
    target.rename(secret)
    target.symlink_to(secret)
    with pytest.raises(DataError, match="leads out of"):
        mmrb(copy)


def test_more_images_than_a_request_may_hold_are_refused_before_a_run(copy: Path) -> None:
    path = items(copy, DOT)[0]["image_paths"][0]
    change(copy, DOT, 1, image_paths=[path] * 101)
    with pytest.raises(DataError, match=r"101 images, but env\.image_limits allows 100"):
        mmrb(copy)


def test_a_merged_file_finds_the_images_of_its_sub_tasks(copy: Path) -> None:
    merged = [*items(copy, DOT)[:-1], *items(copy, PAIRS)[:-1]]
    apart = {task.id: task.data for task in tasks(mmrb(copy))}
    (copy / "MMRB_data.json").write_text(json.dumps(merged), encoding="utf-8")
    for file in copy.rglob("*_human.json"):
        file.unlink()
    found = {task.id: task.data for task in tasks(mmrb(copy))}
    assert found[f"made up:{DOT}:0"] == apart[f"made up:{DOT}:0"]
    assert len(found) == 20


def test_a_single_sub_task_can_be_named_by_its_file_or_folder(sample: Path) -> None:
    assert len(tasks(mmrb(human(sample, DOT)))) == len(tasks(mmrb(sample / FOLDERS[DOT]))) == 10


def test_a_prepared_split_loads_and_a_dealt_one_is_read_again_as_it_was(tmp_path: Path, sample: Path) -> None:
    dealt = tmp_path / "dealt"
    first = mmrb(sample, split_output_dir=str(dealt))
    again = mmrb(sample, split_output_dir=str(dealt))
    prepared = MMRB(MMRBConfig(split_dir=str(dealt), data_root=str(sample)))
    for split in SPLITS:
        assert list(first.tasks(split)) == list(again.tasks(split)) == list(prepared.tasks(split))


def test_a_prepared_split_may_hold_sub_task_folders(tmp_path: Path, sample: Path) -> None:
    for split in SPLITS:
        shutil.copytree(sample, tmp_path / split)
        for subtask in FOLDERS:
            own = [{**one, "index": f"{split}-{one['index']}"} for one in items(sample, subtask)]
            own = [{**one, "question": f"{split} {one['question']}"} for one in own]
            human(tmp_path / split, subtask).write_text(json.dumps(own), encoding="utf-8")
    env = MMRB(MMRBConfig(split_dir=str(tmp_path)))
    for split in SPLITS:
        assert len(env.tasks(split)) == 20
        assert all(image.startswith(f"{split}/00") for task in env.tasks(split) for image in task.data["images"])


def test_archives_that_were_not_extracted_are_told_of(tmp_path: Path) -> None:
    (tmp_path / "001_Moving_Dot.zip").write_bytes(b"PK")
    with pytest.raises(DataError, match=r"1 archives, first 001_Moving_Dot\.zip.*extract them"):
        records(tmp_path)


def test_missing_data_say_where_they_were_looked_for_and_what_would_do() -> None:
    with pytest.raises(DataError) as caught:
        mmrb(Path("no/such/folder"))
    message = str(caught.value)
    assert all(word in message for word in ("no/such/folder", "*_human.json", "images/", "extracted", "env.split_dir"))


def test_a_solution_is_told_in_the_corrected_words(sample: Path, copy: Path) -> None:
    env = mmrb(sample)
    task = next(one for one in tasks(env) if one.id == f"made up:{DOT}:7")
    assert "It never moves" not in env.reference(task)
    assert env.reference(task).startswith("Solution 1\n1. [Task Understanding] The dots matter")
    step = {"reasoning step": 1, "reasoning type": "Logical Reasoning", "rationale": "Because.", "rationale_fix": ""}
    change(copy, DOT, 1, reasoning_steps=[[step]] * 5)
    told = mmrb(copy).reference(next(one for one in tasks(mmrb(copy)) if one.id == f"made up:{DOT}:2"))
    assert told == "\n\n".join(f"Solution {n}\n1. [Logical Reasoning] Because." for n in (1, 2, 3))


def test_records_of_a_local_copy_can_be_kept_in_a_file_of_ones_own(tmp_path: Path, sample: Path) -> None:
    rows = list(folders(sample))
    assert len({row["id"] for row in rows}) == len(rows) == 20
    (tmp_path / "items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert len(tasks(mmrb(tmp_path, data_root=str(sample)))) == 20
    with pytest.raises(DataError, match="by hand: fetch the data set"):
        list(folders(None))


def test_the_defaults_are_those_that_were_promised() -> None:
    config = MMRBConfig()
    assert (config.split_mode, config.split_ratio, config.max_turns, config.free_match) == (
        "ratio",
        "2:1:7",
        1,
        "contains",
    )
    assert config.judge_mode == "never"


def test_the_sample_is_the_same_for_a_seed_and_holds_the_hard_cases(sample: Path) -> None:
    found = [*items(sample, DOT), *items(sample, PAIRS)]
    golds = {one["answer"] for one in found}
    assert {"-3", "1.5", "no", "(B)", "C, B, A"} <= golds
    questions = " ".join(one["question"] for one in found)
    assert "{image#9}" in questions
    assert "{image#2}, seen again: {image#2}" in questions
    assert any(isinstance(one["image_paths"][0], dict) for one in found)
    assert any(step["rationale_fix"] for one in found for step in one["reasoning_steps"][0] if "rationale_fix" in step)

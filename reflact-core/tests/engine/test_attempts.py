"""What earlier attempts at a task left behind goes before it is done again, and nothing else does."""

from __future__ import annotations

from pathlib import Path

import pytest
from reflact import Task
from reflact.data.ids import safe_id
from reflact.engine.roll import clear


def made(root: Path, *names: str) -> Path:
    for name in names:
        (root / name).mkdir(parents=True)
        (root / name / "answer.txt").write_text("old", encoding="utf-8")
    return root


def test_all_attempts_at_a_task_go_and_those_at_others_stay(tmp_path: Path) -> None:
    root = made(tmp_path, "t1", "t1.retry-1", "t1.retry-2", "t10", "t10.retry-1", "t2")
    clear(root, [Task(id="t1")])
    assert sorted(one.name for one in root.iterdir()) == ["t10", "t10.retry-1", "t2"]


def test_without_tasks_everything_stays(tmp_path: Path) -> None:
    clear(made(tmp_path, "t1"), [])
    assert (tmp_path / "t1").is_dir()


@pytest.mark.parametrize("id_", ["a/b", "..", "CON", "x" * 200])
def test_a_task_whose_id_is_no_file_name_has_its_own_folder_cleared(tmp_path: Path, id_: str) -> None:
    own = safe_id(id_)
    made(tmp_path, own, f"{own}.retry-1")
    clear(tmp_path, [Task(id=id_)])
    assert list(tmp_path.iterdir()) == []


def test_there_need_be_no_folder_yet(tmp_path: Path) -> None:
    clear(tmp_path / "predictions", [Task(id="t1")])
    assert not (tmp_path / "predictions").exists()

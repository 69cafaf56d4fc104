"""What earlier attempts at a task left behind goes before it is done again, and nothing else does."""

from __future__ import annotations

from pathlib import Path

import pytest
from reflact import Task
from reflact.engine.roll import Attempts


def made(root: Path, *names: str) -> Path:
    for name in names:
        (root / name).mkdir(parents=True)
        (root / name / "answer.txt").write_text("old", encoding="utf-8")
    return root


def test_all_attempts_at_a_task_go_and_those_at_others_stay(tmp_path: Path) -> None:
    root = made(tmp_path, "t1", "t1.retry-1", "t1.retry-2", "t10", "t10.retry-1", "t2")
    assert Attempts(root).cleared(Task(id="t1")) == root / "t1"
    assert sorted(one.name for one in root.iterdir()) == ["t10", "t10.retry-1", "t2"]


def test_what_came_after_the_listing_stays(tmp_path: Path) -> None:
    attempts = Attempts(made(tmp_path, "t1"))
    made(tmp_path, "t2")
    attempts.cleared(Task(id="t2"))
    assert (tmp_path / "t2").is_dir()


@pytest.mark.parametrize("id_", ["a/b", "..", "CON", "x" * 200])
def test_a_task_whose_id_is_no_file_name_has_its_own_folder_cleared(tmp_path: Path, id_: str) -> None:
    own = Attempts(tmp_path).cleared(Task(id=id_))
    made(tmp_path, own.name, f"{own.name}.retry-1")
    assert Attempts(tmp_path).cleared(Task(id=id_)) == own
    assert list(tmp_path.iterdir()) == []


def test_there_need_be_no_folder_yet(tmp_path: Path) -> None:
    assert Attempts(tmp_path / "predictions").cleared(Task(id="t1")) == tmp_path / "predictions" / "t1"

"""The rollouts of a folder: appended as they finish, used only by those they belong to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from reflact.errors import RunError
from reflact.store.folder import Folder, Rows
from reflact.types import Outcome, Rollout, Usage

STAMP: dict[str, Any] = {"skill": "0123", "tasks": "4567", "curtailed_at": 0.1 + 0.2}


def rollout(task_id: str, outcome: Outcome = "ok", answer: str = "é") -> Rollout:
    trace = ({"role": "user", "content": "q\u2028"},)
    usage = Usage(calls=1, prompt=3)
    return Rollout(task_id=task_id, hard=1.0, soft=0.5, outcome=outcome, answer=answer, trace=trace, usage=usage)


def rows(at: Path, **changes: Any) -> Rows:
    return Folder(at).rows({**STAMP, **changes})


def lines(at: Path) -> list[str]:
    written = (at / "results.jsonl").read_text(encoding="utf-8")
    return [json.loads(line)["task_id"] for line in written.split("\n") if line]


def test_a_fresh_folder_holds_none(tmp_path: Path) -> None:
    fresh = rows(tmp_path / "new")
    assert (fresh.done, fresh.complete) == ({}, False)


def test_finished_rows_are_found_again(tmp_path: Path) -> None:
    first = rows(tmp_path)
    for task_id in "ba":
        first.add(rollout(task_id))
    assert lines(tmp_path) == ["b", "a"]
    again = rows(tmp_path)
    assert again.done == {"b": rollout("b"), "a": rollout("a")}
    assert not again.complete


def test_rows_that_were_not_scored_are_forgotten_on_resume(tmp_path: Path) -> None:
    first = rows(tmp_path)
    for task_id, outcome in (("a", "ok"), ("b", "infra_error"), ("c", "timeout"), ("d", "empty")):
        first.add(rollout(task_id, outcome))  # type: ignore[arg-type]
    assert list(rows(tmp_path).done) == ["a", "d"]
    assert lines(tmp_path) == ["a", "d"]


def test_a_complete_set_is_read_as_it_is_unscored_rows_too(tmp_path: Path) -> None:
    final = [rollout("a"), rollout("b", "infra_error")]
    first = rows(tmp_path)
    for one in reversed(final):
        first.add(one)
    first.close(final)
    assert first.complete
    written = (tmp_path / "results.jsonl").read_bytes()
    again = rows(tmp_path)
    assert (again.complete, list(again.done.values())) == (True, final)
    assert (tmp_path / "results.jsonl").read_bytes() == written


def test_closing_keeps_the_given_rows_in_the_given_order(tmp_path: Path) -> None:
    first = rows(tmp_path)
    for task_id in "cab":
        first.add(rollout(task_id))
    first.close([rollout("a"), rollout("b")])
    assert lines(tmp_path) == ["a", "b"]
    assert json.loads((tmp_path / "rollout_meta.json").read_text()) == {**STAMP, "complete": True, "n": 2}


@pytest.mark.parametrize("complete", [False, True])
def test_rows_of_another_stamp_are_moved_aside_and_never_used(tmp_path: Path, complete: bool) -> None:
    first = rows(tmp_path)
    first.add(rollout("a"))
    if complete:
        first.close([rollout("a")])
    other = rows(tmp_path, skill="another")
    assert (other.done, other.complete) == ({}, False)
    assert not (tmp_path / "results.jsonl").exists()
    assert "a" in (tmp_path / "results.jsonl.stale-1").read_text()


def test_each_set_of_stale_rows_has_a_name_of_its_own(tmp_path: Path) -> None:
    for skill in ("one", "two", "three"):
        rows(tmp_path, skill=skill).add(rollout(skill))
    stale = sorted(tmp_path.glob("*.stale-*"))
    assert [file.name for file in stale] == ["results.jsonl.stale-1", "results.jsonl.stale-2"]
    assert list(rows(tmp_path, skill="three").done) == ["three"]


def test_rows_of_nobody_are_moved_aside(tmp_path: Path) -> None:
    first = rows(tmp_path)
    first.add(rollout("a"))
    (tmp_path / "rollout_meta.json").unlink()
    assert rows(tmp_path).done == {}
    assert (tmp_path / "results.jsonl.stale-1").exists()


def test_a_stamp_with_tuples_is_recognised_again(tmp_path: Path) -> None:
    rows(tmp_path, workers=("a", "b")).add(rollout("a"))
    assert list(rows(tmp_path, workers=("a", "b")).done) == ["a"]


def test_a_last_line_that_a_kill_cut_anywhere_is_dropped(tmp_path: Path) -> None:
    rows(tmp_path).add(rollout("a"))
    whole = (tmp_path / "results.jsonl").read_bytes()
    cut = whole.replace(b'"a"', b'"b"')
    in_a_letter = [cut.index(letter.encode()) + 1 for letter in "é\u2028"]
    for length in (1, 40, *in_a_letter, len(cut) - 2):
        (tmp_path / "results.jsonl").write_bytes(whole + cut[:length])
        assert list(rows(tmp_path).done) == ["a"]
        assert (tmp_path / "results.jsonl").read_bytes() == whole


def test_a_last_line_that_lacks_only_its_end_is_kept(tmp_path: Path) -> None:
    first = rows(tmp_path)
    first.add(rollout("a"))
    first.add(rollout("b"))
    whole = (tmp_path / "results.jsonl").read_bytes()
    (tmp_path / "results.jsonl").write_bytes(whole[:-1])
    assert list(rows(tmp_path).done) == ["a", "b"]
    assert (tmp_path / "results.jsonl").read_bytes() == whole


def test_a_broken_line_in_the_middle_is_named(tmp_path: Path) -> None:
    first = rows(tmp_path)
    first.add(rollout("a"))
    first.add(rollout("b"))
    file = tmp_path / "results.jsonl"
    file.write_text("{broken\n" + file.read_text(encoding="utf-8"), encoding="utf-8")
    with pytest.raises(RunError, match=r"results\.jsonl:1: broken row .*; delete the line to have it made again"):
        rows(tmp_path)


def test_a_complete_set_with_a_broken_line_is_refused(tmp_path: Path) -> None:
    rows(tmp_path).close([rollout("a"), rollout("b")])
    file = tmp_path / "results.jsonl"
    file.write_bytes(file.read_bytes()[:-20])
    with pytest.raises(RunError, match=r"results\.jsonl:2: broken row .*delete rollout_meta\.json beside it"):
        rows(tmp_path)


@pytest.mark.parametrize("kept", [0, 1, None])
def test_a_complete_set_that_lost_rows_is_refused(tmp_path: Path, kept: int | None) -> None:
    rows(tmp_path).close([rollout("a"), rollout("b")])
    file = tmp_path / "results.jsonl"
    if kept is None:
        file.unlink()
    else:
        file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:kept]))
    with pytest.raises(
        RunError, match=r"results\.jsonl holds [01] of 2 rows\. Restore it, or delete .*rollout_meta\.json"
    ):
        rows(tmp_path)
    (tmp_path / "rollout_meta.json").unlink()
    assert rows(tmp_path).done == {}


@pytest.mark.parametrize("text", ["", "{", "[1]", "3"])
def test_a_damaged_stamp_is_named(tmp_path: Path, text: str) -> None:
    rows(tmp_path).add(rollout("a"))
    (tmp_path / "rollout_meta.json").write_text(text)
    with pytest.raises(RunError, match=r"rollout_meta\.json cannot be read back"):
        rows(tmp_path)


def test_a_kill_before_the_set_was_marked_complete_loses_nothing(tmp_path: Path) -> None:
    first = rows(tmp_path)
    first.add(rollout("b"))
    first.add(rollout("a"))
    meta = (tmp_path / "rollout_meta.json").read_bytes()
    first.close([rollout("a"), rollout("b")])
    (tmp_path / "rollout_meta.json").write_bytes(meta)
    again = rows(tmp_path)
    assert (again.complete, sorted(again.done)) == (False, ["a", "b"])

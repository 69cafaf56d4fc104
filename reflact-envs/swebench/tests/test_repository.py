"""Copies of repositories, and patches on them."""

from __future__ import annotations

from pathlib import Path

import pytest
from reflact import DataError
from reflact_env_swebench.repository import apply, copy, git, lacking, restore

WHO = ("-c", "user.name=Test", "-c", "user.email=test@example.org")


@pytest.fixture
def history(tmp_path: Path) -> tuple[Path, list[str]]:
    """A repository of three commits, and their names."""
    folder = tmp_path / "source"
    folder.mkdir()
    git(folder, "init", "--quiet")
    commits = []
    for number in range(3):
        (folder / "file.txt").write_text(f"line {number}\n")
        git(folder, "add", "--all")
        git(folder, *WHO, "commit", "--quiet", "--message", f"commit {number}")
        commits.append(git(folder, "rev-parse", "HEAD").strip())
    return folder, commits


def test_a_copy_stands_at_its_commit_and_knows_nothing_of_later_ones(
    tmp_path: Path, history: tuple[Path, list[str]]
) -> None:
    source, commits = history
    copy(source, commits[1], tmp_path / "copy")
    assert (tmp_path / "copy" / "file.txt").read_text() == "line 1\n"
    assert git(tmp_path / "copy", "log", "--all", "--format=%s").split("\n")[:2] == ["commit 1", "commit 0"]
    assert lacking(tmp_path / "copy", commits) == (commits[2],)
    assert git(source, "branch", "--list", "base") == ""


def test_hooks_of_a_repository_do_not_run(tmp_path: Path, history: tuple[Path, list[str]]) -> None:
    source, commits = history
    hook = source / ".git" / "hooks" / "pre-push"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    hook.chmod(0o755)
    copy(source, commits[0], tmp_path / "copy")
    assert not (tmp_path / "ran").exists()


def test_what_is_no_repository_is_told(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"git cat-file in .*not a git repository"):
        lacking(tmp_path, ["0" * 40])


def test_a_patch_is_applied_whole_or_not_at_all(history: tuple[Path, list[str]]) -> None:
    source, _ = history
    good = "--- a/file.txt\n+++ b/file.txt\n@@ -1 +1 @@\n-line 2\n+line two"
    bad = f"{good}\n--- a/none.txt\n+++ b/none.txt\n@@ -1 +1 @@\n-x\n+y\n"
    assert not apply(source, bad)
    assert (source / "file.txt").read_text() == "line 2\n"
    assert apply(source, good)
    assert (source / "file.txt").read_text() == "line two\n"


def test_what_was_done_to_a_file_is_undone_and_a_new_one_goes(history: tuple[Path, list[str]]) -> None:
    source, _ = history
    (source / "file.txt").write_text("changed")
    (source / "new.txt").write_text("new")
    restore(source, "file.txt")
    restore(source, "new.txt")
    assert (source / "file.txt").read_text() == "line 2\n"
    assert not (source / "new.txt").exists()


def test_a_link_does_not_lead_to_files_outside(tmp_path: Path, history: tuple[Path, list[str]]) -> None:
    source, _ = history
    (tmp_path / "precious").write_text("mine")
    (source / "out").symlink_to(tmp_path)
    restore(source, "out/precious")
    assert (tmp_path / "precious").read_text() == "mine"

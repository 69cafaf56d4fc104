"""`keep`: made once, read ever after, never half there."""

from __future__ import annotations

from pathlib import Path

import pytest
from reflact.errors import RunError
from reflact.modes.patch import Patch
from reflact.store.codec import SKILL, json_codec, proposal_codec
from reflact.store.files import write
from reflact.store.folder import Folder, Kept
from reflact.types import Score, Skill

SCORE = json_codec(Score)


def test_an_artifact_is_made_once(tmp_path: Path) -> None:
    calls: list[tuple[int, int]] = []

    def make(right: int, *, n: int) -> Score:
        calls.append((right, n))
        return Score(hard=right / n, soft=0.0, n=n)

    for right in (1, 2):
        assert Folder(tmp_path).keep("score.json", SCORE, make, right, n=3) == Score(hard=1 / 3, soft=0.0, n=3)
    assert calls == [(1, 3)]


def test_a_skill_keeps_its_line_ends(tmp_path: Path) -> None:
    for _ in range(2):
        assert Folder(tmp_path).keep("skill.md", SKILL, Skill, "a\r\nb\n") == Skill("a\r\nb\n")


def test_what_raises_leaves_no_file(tmp_path: Path) -> None:
    def fail() -> Score:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Folder(tmp_path).keep("score.json", SCORE, fail)
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_written_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(UnicodeEncodeError):
        Folder(tmp_path).keep("skill.md", SKILL, Skill, "\ud800")
    assert not (tmp_path / "skill.md").exists()


@pytest.mark.parametrize("text", ["", "{", "[]", "3", '"text"', "null", '{"hard": "high"}', '{"edits": 3}', "{}"])
@pytest.mark.parametrize("codec", [SCORE, proposal_codec(Patch()), proposal_codec(Patch(), nested=True)])
def test_a_damaged_artifact_is_named_and_not_overwritten(tmp_path: Path, codec: object, text: str) -> None:
    file = tmp_path / "damaged.json"
    write(file, text)
    with pytest.raises(RunError, match=r"damaged\.json cannot be read back \(.+\)\. Restore it, or delete it"):
        Folder(tmp_path).keep("damaged.json", codec, lambda: None)  # type: ignore[arg-type]
    assert file.read_text() == text


def test_an_artifact_that_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "skill.md").write_bytes(b"\xff\xfe")
    with pytest.raises(RunError, match=r"skill\.md cannot be read back"):
        Folder(tmp_path).keep("skill.md", SKILL, Skill, "a")


def test_it_is_told_what_was_made_and_what_was_read(tmp_path: Path) -> None:
    heard: list[Kept] = []
    folder = Folder(tmp_path, heard.append).sub("steps").sub("step_0001")
    for _ in range(2):
        folder.keep("skill.md", SKILL, Skill, "a")
    folder.silent().keep("other.md", SKILL, Skill, "b")
    assert [(one.path.relative_to(tmp_path).as_posix(), one.from_disk) for one in heard] == [
        ("steps/step_0001/skill.md", False),
        ("steps/step_0001/skill.md", True),
    ]
    assert all(one.seconds >= 0 for one in heard)


def test_a_view_is_written_only_when_it_says_something_new(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.export("view.md", "a\r\n")
    before = (tmp_path / "view.md").stat()
    folder.export("view.md", "a\r\n")
    assert (tmp_path / "view.md").stat().st_ino == before.st_ino
    folder.export("view.md", "b")
    assert (tmp_path / "view.md").read_text() == "b"

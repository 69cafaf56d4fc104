"""A workspace holds what the job brings, under harmless names, and nothing outside it is ever touched."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from reflact import BackendError, ExecJob, Image, Resume, Skill
from reflact.agents import prepare

PNG = b"\x89PNG\r\n\x1a\n rest"
SKILL_AT = ".agents/skills/reflact-student"


def job(workdir: Path, **more: Any) -> ExecJob:
    settings = {"prompt": "Do it.", "skill": Skill("- One."), "timeout_s": 10.0, **more}
    return ExecJob(workdir=workdir, **settings)


def listed(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_files_prompt_and_skill_are_put_where_an_agent_looks(tmp_path: Path) -> None:
    source = tmp_path / "table.csv"
    source.write_bytes(b"a,b\r\n")
    made = prepare(job(tmp_path / "job", files={"data/t.csv": source, "a.txt": "ä", "b": b"\0"}), skill_at=SKILL_AT)
    assert made.folder == tmp_path / "job" / "workspace"
    found = listed(made.folder)
    assert found.pop(f"{SKILL_AT}/SKILL.md").endswith(b"\n- One.\n")
    assert found == {"data/t.csv": b"a,b\r\n", "a.txt": "ä".encode(), "b": b"\0", "task.md": b"Do it.\n"}


def test_an_image_is_named_by_what_it_is_and_mapped_to_its_label(tmp_path: Path) -> None:
    images = (
        Image(data=PNG, media_type="image/jpeg", label="Image #1"),
        Image(data=b"RIFF....WEBP", media_type="image/png", label="the answer is 7\n[x](y)"),
        Image(data=b"?", media_type="image/svg+xml"),
    )
    made = prepare(job(tmp_path, images=images), skill_at=None)
    assert [one.name for one in made.images] == ["01.png", "02.webp", "03.svg"]
    page = (made.folder / "ATTACHMENTS.md").read_text()
    assert "- Image #1: `attachments/01.png`" in page and "- Image 3: `attachments/03.svg`" in page
    assert str(tmp_path) not in page and page.count("\n") == 5


@pytest.mark.parametrize("name", ["../x", "a/../../x", "/etc/x", "C:\\x", "..\\x", "", ".", "a\0b"])
def test_a_path_that_leaves_the_workspace_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(BackendError, match="does not lie below the workspace") as caught:
        prepare(job(tmp_path / "job", files={name: "x"}), skill_at=None)
    assert caught.value.fault == "bad_request"
    assert not (tmp_path / "x").exists() and not (tmp_path / "job" / "x").exists()


def test_a_source_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BackendError, match=r"'in\.xlsx' cannot be put .*nowhere"):
        prepare(job(tmp_path, files={"in.xlsx": tmp_path / "nowhere"}), skill_at=None)


def test_a_second_job_in_the_same_folder_starts_clean(tmp_path: Path) -> None:
    made = prepare(job(tmp_path, files={"old.txt": "old"}), skill_at=None)
    (made.folder / "written.txt").write_text("by the agent")
    assert set(listed(prepare(job(tmp_path), skill_at=None).folder)) == {"task.md"}


def test_a_folder_that_was_not_made_here_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "workspace").mkdir()
    (tmp_path / "workspace" / "thesis.txt").write_text("years of work")
    with pytest.raises(BackendError, match="was not made for this job"):
        prepare(job(tmp_path), skill_at=None)
    assert (tmp_path / "workspace" / "thesis.txt").read_text() == "years of work"


def test_a_link_to_somewhere_else_is_never_followed_to_delete(tmp_path: Path) -> None:
    made = prepare(job(tmp_path / "job"), skill_at=None)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "kept.txt").write_text("kept")
    (made.folder / "link").symlink_to(tmp_path / "mine")
    prepare(job(tmp_path / "job"), skill_at=None)
    assert (tmp_path / "mine" / "kept.txt").read_text() == "kept"


def test_an_env_may_bring_its_own_task_file(tmp_path: Path) -> None:
    made = prepare(job(tmp_path, files={"task.md": "In short."}), skill_at=None)
    assert (made.folder / "task.md").read_text() == "In short."


def test_a_resumed_job_starts_as_the_earlier_one_left_off_but_with_its_own_skill(tmp_path: Path) -> None:
    image = Image(data=PNG, media_type="image/png", label="Image #1")
    first = job(tmp_path / "first", files={"a.txt": "given"}, images=(image,))
    left = prepare(first, skill_at=SKILL_AT).folder
    (left / "a.txt").write_text("changed by the agent")
    (left / "b.txt").write_text("made by the agent")
    second = replace(
        first,
        workdir=tmp_path / "second",
        prompt="Why?",
        skill=Skill("- Two."),
        resume=Resume(workdir=tmp_path / "first", after_step=1),
    )
    made = prepare(second, skill_at=SKILL_AT)
    found = listed(made.folder)
    assert (found["a.txt"], found["b.txt"], found["task.md"]) == (
        b"changed by the agent",
        b"made by the agent",
        b"Do it.\n",
    )
    assert found[f"{SKILL_AT}/SKILL.md"].endswith(b"- Two.\n")
    assert made.images == ()
    assert (left / f"{SKILL_AT}/SKILL.md").read_text().endswith("- One.\n")


def test_a_link_that_the_agent_left_is_not_written_through(tmp_path: Path) -> None:
    image = Image(data=PNG, media_type="image/png")
    left = prepare(job(tmp_path / "first"), skill_at=None).folder
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "01.png").write_text("mine")
    (left / "attachments").symlink_to(mine)
    (left / ".agents").symlink_to(mine)
    (left / "task.md").unlink()
    (left / "task.md").symlink_to(mine / "task.md")
    os.mkfifo(left / "pipe")
    resume = Resume(workdir=tmp_path / "first", after_step=1)
    made = prepare(job(tmp_path / "second", images=(image,), resume=resume), skill_at=SKILL_AT)
    assert (made.folder / "attachments" / "01.png").read_bytes() == PNG
    assert listed(mine) == {"01.png": b"mine"}


def test_a_job_that_left_no_workspace_cannot_be_resumed(tmp_path: Path) -> None:
    resume = Resume(workdir=tmp_path / "first", after_step=1)
    with pytest.raises(BackendError, match="left no workspace"):
        prepare(job(tmp_path / "second", resume=resume), skill_at=None)

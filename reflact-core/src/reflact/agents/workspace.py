"""The folder an agent works in: made anew for each job, with what the job brings and nothing else."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath

from reflact.agents import attachments
from reflact.agents.skillfile import SKILL_NAME, render_skill
from reflact.errors import BackendError
from reflact.types import ExecJob

WORKSPACE = "workspace"
TASK = "task.md"
SKILL_FILE = "SKILL.md"
_OURS = ".made-by-reflact"


@dataclass(frozen=True, slots=True)
class Workspace:
    """A prepared workspace. `images` are the files of the job's images, those an earlier job had already left out."""

    folder: Path
    images: tuple[Path, ...] = ()


def prepare(job: ExecJob, *, skill_at: str | None) -> Workspace:
    """Make the folder `workspace` of *job*: its files, task.md, images, and the skill in the folder *skill_at*.

    A job that resumes starts from a copy of the workspace of the earlier job; only what is missing there is added, and
    the skill is this job's. Raises `BackendError` (bad_request) for a path that leaves the workspace, a source that is
    no file, and a folder `workspace` that was not made here.
    """
    folder = _cleared(job.workdir)
    if job.resume is None:
        folder.mkdir()
    else:
        _copy(job.resume.workdir / WORKSPACE, folder)
    for name, content in job.files.items():
        if job.resume is None or not (folder / safe(name)).exists():
            _put(folder, name, content)
    if not (folder / TASK).exists():
        _put(folder, TASK, f"{job.prompt.rstrip()}\n")
    files = attachments.names(job.images)
    fresh = [name for name, one in zip(files, job.images, strict=True) if not _holds(folder / name, one.data)]
    for name, image in zip(files, job.images, strict=True):
        _put(folder, name, image.data)
    if job.images:
        _put(folder, attachments.PAGE, attachments.page(job.images))
    if skill_at is not None:
        _put(folder, f"{skill_at}/{SKILL_FILE}", render_skill(job.skill.text))
    return Workspace(folder, tuple(folder / name for name in fresh))


def safe(name: str) -> PurePosixPath:
    """Return *name* as a path below a workspace. Raises `BackendError` for one that is absolute or leaves it."""
    path, windows = PurePosixPath(name.replace("\\", "/")), PureWindowsPath(name)
    if path.is_absolute() or windows.drive or ".." in path.parts or not path.parts or "\0" in name:
        raise BackendError(
            f"a file of the job is called {name!r}, which does not lie below the workspace; give a relative path.",
            fault="bad_request",
        )
    return path


def _cleared(workdir: Path) -> Path:
    """Return the path of the workspace with nothing there; only what this module made is removed."""
    folder, ours = workdir / WORKSPACE, workdir / _OURS
    workdir.mkdir(parents=True, exist_ok=True)
    if folder.is_symlink() or (folder.exists() and not ours.exists()):
        raise BackendError(
            f"{folder} is there and was not made for this job; move it away, or give the job another folder.",
            fault="bad_request",
        )
    if folder.exists():
        try:
            shutil.rmtree(folder)
        except OSError as error:
            told = f"{folder} of an earlier job cannot be removed: {error}. Remove it by hand."
            raise BackendError(told, fault="bad_request") from error
    ours.touch()
    return folder


def _copy(earlier: Path, folder: Path) -> None:
    if not earlier.is_dir():
        raise BackendError(f"{earlier} is not there: the job to resume left no workspace.", fault="bad_request")
    shutil.copytree(earlier, folder, symlinks=True, ignore=_special)
    for old in folder.rglob(f"{SKILL_NAME}/{SKILL_FILE}"):
        old.unlink()


def _special(folder: str, names: list[str]) -> list[str]:
    """Return what cannot be copied: pipes, sockets and the like that an agent left."""
    files = {name: Path(folder, name) for name in names}
    return [name for name, one in files.items() if not (one.is_symlink() or one.is_dir() or one.is_file())]


def _holds(file: Path, content: bytes) -> bool:
    return file.is_file() and not file.is_symlink() and file.read_bytes() == content


def _put(folder: Path, name: str, content: str | bytes | Path) -> None:
    """Write *content* to the file *name* below *folder*; a link that an agent left there is never followed."""
    target = folder / safe(name)
    try:
        _plain_way(folder, target)
        target.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, Path):
            shutil.copyfile(content, target)
        elif isinstance(content, bytes):
            target.write_bytes(content)
        else:
            target.write_bytes(content.encode("utf-8", "replace"))
    except OSError as error:
        told = f"the job's file {name!r} cannot be put into the workspace: {error}"
        raise BackendError(told, fault="bad_request") from error


def _plain_way(folder: Path, target: Path) -> None:
    """Take away the links on the way from *folder* to *target*."""
    way = folder
    for part in target.relative_to(folder).parts:
        way = way / part
        if way.is_symlink():
            way.unlink()

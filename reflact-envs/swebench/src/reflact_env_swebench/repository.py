"""Copies of a git repository as it was at one commit: with its history, and without anything that came later."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from shutil import which
from types import MappingProxyType

from reflact import DataError
from reflact.agents.environment import PATH

WAIT_S = 300.0
PLAIN = ("-c", "safe.directory=*", "-c", "core.hooksPath=/dev/null", "-c", "core.autocrlf=false", "-c", "gc.auto=0")
"""Settings under which nothing of the user's, and no program of a repository's, has a say."""
QUIET: Mapping[str, str] = MappingProxyType(
    {"PATH": PATH, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "LC_ALL": "C.UTF-8"}
)


def git(folder: Path, *words: str, stdin: str | None = None) -> str:
    """Return what `git` prints when it is run in *folder*. Raises `DataError` with what it complains about."""
    program = which("git")
    if program is None:
        raise DataError("git is not installed; it is needed to copy repositories and to apply patches")
    try:
        done = subprocess.run(
            [program, *PLAIN, *words],
            cwd=folder,
            env=QUIET,
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",
            timeout=WAIT_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise DataError(f"git {words[0]} in {folder}: not done within {WAIT_S:g} s") from error
    if done.returncode:
        told = (done.stderr.strip() or done.stdout.strip() or "no reason given").splitlines()[-1]
        raise DataError(f"git {words[0]} in {folder}: {told}")
    return done.stdout


def lacking(folder: Path, commits: Sequence[str]) -> tuple[str, ...]:
    """Return those of *commits* that the repository at *folder* does not have. Raises `DataError` when it is none."""
    asked = "".join(f"{commit}^{{commit}}\n" for commit in commits)
    told = git(folder, "cat-file", "--batch-check", stdin=asked).splitlines()
    return tuple(commit for commit, line in zip(commits, told, strict=True) if " commit " not in line)


def copy(repository: Path, commit: str, to: Path) -> None:
    """Make *to* a repository that stands at *commit* of *repository*: its ancestors come with it, and nothing else."""
    to.mkdir(parents=True)
    git(to, "init", "--quiet", "--initial-branch=empty")
    git(repository.resolve(), "push", "--quiet", str(to), f"{commit}^{{commit}}:refs/heads/base")
    git(to, "checkout", "--quiet", "base")


def apply(folder: Path, patch: str) -> bool:
    """Apply *patch* to the files of the repository at *folder*, whole or not at all; return whether it did."""
    try:
        git(folder, "apply", "--whitespace=nowarn", "-", stdin=patch if patch.endswith("\n") else f"{patch}\n")
    except DataError:
        return False
    return True


def restore(folder: Path, name: str) -> None:
    """Undo what was done to the file *name*, which goes away when the last commit does not have it.

    A link that was put in its way does not lead out of the folder.
    """
    try:
        git(folder, "checkout", "--quiet", "HEAD", "--", name)
    except DataError:
        place = folder / name
        if place.parent.resolve().is_relative_to(folder.resolve()):
            place.unlink(missing_ok=True)

"""The games below a folder, as records. A game that cannot be won, or needs what the text games lack, is left out."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reflact import DataError
from reflact.data.records import Record, scan

from reflact_env_alfworld.places import GAME_FILE, NATIVE, WANTED

_SOLVABLE = re.compile(rb'"solvable"\s*:\s*true')
_UNSUPPORTED = ("movable", "Sliced")


def listed(folder: Path, root: Path) -> list[dict[str, Any]]:
    """Return `{id, gamefile, task_type}` of the games below *folder*, sorted; `gamefile` is relative to *root*."""
    return [_record(file, root) for file in sorted(folder.rglob(GAME_FILE)) if _counts(file, folder)]


def native(root: Path, part: str) -> list[dict[str, Any]]:
    """Return the games of the native split *part*; raises `DataError` when there are none."""
    folder = root / NATIVE / part
    if not folder.is_dir():
        raise DataError(f"{folder}: no such folder, so there are no native splits\n{WANTED}")
    found = listed(folder, root)
    if not found:
        raise DataError(f"{folder}: holds no solvable */trial_*/{GAME_FILE}\n{WANTED}")
    return found


def records(root: Path, path: Path) -> Sequence[Record]:
    """Return what *path* tells of games: a folder of games, or a list of them in a data file."""
    if path.is_dir():
        games = listed(path, root if path.absolute().is_relative_to(root.absolute()) else path)
        if games:
            return [Record(one, f"{path}: {one['gamefile']}") for one in games]
    return scan(path)


def _counts(file: Path, folder: Path) -> bool:
    name = file.parent.relative_to(folder).as_posix()
    return not any(word in name for word in _UNSUPPORTED) and _SOLVABLE.search(file.read_bytes()) is not None


def _record(file: Path, root: Path) -> dict[str, Any]:
    where = file.parent.absolute().relative_to(root.absolute()).parts
    return {
        "id": ":".join(where[-3:]),
        "gamefile": file.absolute().relative_to(root.absolute()).as_posix(),
        "task_type": where[-2].partition("-")[0] if len(where) > 1 else "",
    }

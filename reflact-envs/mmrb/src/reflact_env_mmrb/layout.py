"""The official layout: a folder for each sub-task, with its items and its images; or all items in one file."""

import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from reflact import DataError
from reflact.data.records import Record, data_file, scan

MERGED, OF_SUBTASK = "MMRB_data.json", "*_human.json"


def records(path: Path, root: Path | None = None) -> Sequence[Record]:
    """Return the records of *path*: a file, a folder with one, or the folder of the sub-tasks' folders.

    In the layout of the sub-tasks images become named relative to *root*, or else *path*. Of records with the same
    source, sub-task and index the first is kept; the others are counted in a warning. Raises `DataError` where there is
    nothing to read.
    """
    found = [one for file in _files(path) for one in _placed(file, root or path)]
    first: dict[str, Record] = {}
    kept: list[Record] = []
    again: list[Record] = []
    for one in found:
        name = key(one.raw)
        is_new = one.fault or not name or first.setdefault(name, one) is one
        (kept if is_new else again).append(one)
    if again:
        other = sum(one.raw != first[key(one.raw)].raw for one in again)
        warnings.warn(
            f"{path}: {len(again)} of {len(found)} items are left out, as an earlier one has the same source, sub-task "
            f"and index ({other} of them say something else): {', '.join(key(one.raw) for one in again[:3])}",
            RuntimeWarning,
            stacklevel=2,
        )
    return kept


def key(raw: Mapping[str, Any]) -> str:
    """Return what tells an item from all others, `source:subtask:index`; empty where one of the three is missing."""
    parts = [str(raw[name]).strip() for name in ("source", "subtask", "index") if raw.get(name) is not None]
    return ":".join(parts) if len(parts) == 3 and all(parts) else ""


def sources(value: Any) -> list[Any]:
    """Return the images in *value* in order: a list, one image, or `{"path_index": n, "path": …}`, alone or listed."""
    if isinstance(value, Mapping) and "path_index" in value:
        return sources(value.get("path"))
    if isinstance(value, list | tuple):
        indexed = all(isinstance(one, Mapping) and "path_index" in one for one in value)
        ordered = sorted(value, key=lambda one: int(one["path_index"])) if indexed else value
        return [image for one in ordered for image in sources(one)]
    return [] if value in (None, "") else [value]


def _files(path: Path) -> Sequence[Path]:
    if not path.is_dir():
        return [data_file(path)]
    if (path / MERGED).is_file():
        return [path / MERGED]
    of_subtasks = sorted(path.rglob(OF_SUBTASK))
    if of_subtasks:
        return of_subtasks
    archives = sorted(path.rglob("*.zip"))
    if archives:
        raise DataError(
            f"{path}: {len(archives)} archives, first {archives[0].name}, but no {OF_SUBTASK}: extract them"
        )
    return [data_file(path)]


def _placed(file: Path, root: Path) -> Iterator[Record]:
    """Yield the records of *file* with their images named relative to *root*."""
    is_official = root.is_dir() and (file.name == MERGED or file.match(OF_SUBTASK))
    folder = PurePosixPath(file.parent.relative_to(root).as_posix()) if is_official else PurePosixPath()
    homes = _homes(file.parent, folder) if file.name == MERGED else {}
    for one in scan(file):
        beside = homes.get(_simple(str(one.raw.get("subtask", ""))), folder)
        images = [_below(image, beside, root) for image in sources(one.raw.get("image_paths"))]
        yield Record({**one.raw, "image_paths": images}, one.where, one.fault)


def _below(image: Any, folder: PurePosixPath, root: Path) -> Any:
    if not isinstance(image, str) or folder == PurePosixPath() or re.match(r"[/\\]|\w+:", image):
        return image
    there = str(folder / image.replace("\\", "/"))
    return there if folder.parts[0] not in PurePosixPath(image).parts else image


def _homes(parent: Path, folder: PurePosixPath) -> Mapping[str, PurePosixPath]:
    """Return the folders in *parent*, which is *folder* below the root, by the name of their sub-task."""
    names = [one.name for one in parent.iterdir() if one.is_dir()]
    return {_simple(re.sub(r"^\d+_", "", name)): folder / name for name in names}


def _simple(name: str) -> str:
    return re.sub(r"[\W_]+", " ", name).strip().casefold()

"""Train, val and test games: ALFWorld's own splits, prepared lists, or a ratio of what lies in one place."""

import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path, PurePosixPath
from random import Random
from typing import Any

from reflact import DataError, Split, Task
from reflact.data.checks import check_splits
from reflact.data.splits import Splits, load_splits

from reflact_env_alfworld.config import AlfworldConfig
from reflact_env_alfworld.listing import native, records
from reflact_env_alfworld.places import PART_OF, data_root

INDEX = "native_index.json"


def root_of(config: AlfworldConfig) -> Path:
    """Return the folder that game files are relative to. Raises `DataError` when there is none."""
    folder = Path(config.data_path)
    if config.split_mode == "ratio" and not config.data_root and config.data_path and folder.is_dir():
        return folder
    return data_root(config.data_root)


def load_games(config: AlfworldConfig, root: Path) -> Splits:
    """Return the tasks of every split. Raises `DataError` for records that are no games, or games that are missing."""
    if config.split_mode == "native":
        splits: Splits = _native(config, root)
        check_splits(splits)
    else:
        splits = load_splits(config, partial(to_task, root=root), reader=partial(records, root))
    missing = [one.data["gamefile"] for tasks in splits.values() for one in tasks if not _file(one, root).is_file()]
    if missing:
        more = f" … ({len(missing)} games)" if len(missing) > 3 else ""
        raise DataError(f"not below env.data_root {root}: {', '.join(missing[:3])}{more}; is it the right folder?")
    return splits


def to_task(raw: Mapping[str, Any], *, root: Path) -> Task:
    """Return the task of *raw*: a `gamefile` below *root*, with `id` and `task_type` where they are told.

    Raises `DataError` for a record without a game file, or with one outside *root*.
    """
    given = raw.get("gamefile")
    if not isinstance(given, str) or not given.strip():
        raise DataError("no gamefile: the path of a game.tw-pddl below env.data_root")
    file = PurePosixPath(given.strip())
    if file.is_absolute():
        if not file.is_relative_to(root.absolute().as_posix()):
            raise DataError(f"gamefile {given} is not below env.data_root {root}")
        file = file.relative_to(root.absolute().as_posix())
    if ".." in file.parts:
        raise DataError(f"gamefile {given} leads out of env.data_root; '..' is not allowed")
    where = file.parent.parts
    kind = str(raw.get("task_type") or (where[-2].partition("-")[0] if len(where) > 1 else "") or "household")
    task_id = str(raw.get("id") or "").strip() or ":".join(where[-3:])
    return Task(id=task_id, kind=kind, data={"gamefile": file.as_posix()})


def _native(config: AlfworldConfig, root: Path) -> dict[Split, tuple[Task, ...]]:
    index = _index(config, root)
    splits: dict[Split, tuple[Task, ...]] = {}
    for split, part in PART_OF.items():
        tasks = [to_task(raw, root=root) for raw in index[part]]
        if split == "train" and 0 < config.train_size < len(tasks):
            kept = sorted(Random(config.split_seed).sample(range(len(tasks)), config.train_size))
            tasks = [tasks[at] for at in kept]
        splits[split] = tuple(tasks[: config.limit or None])
    return splits


def _index(config: AlfworldConfig, root: Path) -> Mapping[str, Any]:
    """Return the native splits; once found they are kept in `split_output_dir`, which a run sets to its own folder."""
    kept = Path(config.split_output_dir) / INDEX if config.split_output_dir else None
    if kept and kept.is_file():
        found: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8"))
        if found["data_root"] == str(root.absolute()):
            return found
    index = {"data_root": str(root.absolute()), **{part: native(root, part) for part in PART_OF.values()}}
    if kept:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(index, indent=1) + "\n", encoding="utf-8")
    return index


def _file(task: Task, root: Path) -> Path:
    return root / str(task.data["gamefile"])

"""From a SpreadsheetBench record to a task, its workbooks found and its answer position understood."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from reflact import DataError, Task
from reflact.data.records import Record, scan

from reflact_env_spreadsheetbench.cases import find_cases
from reflact_env_spreadsheetbench.ranges import parse_position

DATASET = "dataset.json"
KINDS: Mapping[str, str] = {
    "cell-level manipulation": "cell_level",
    "sheet-level manipulation": "sheet_level",
}


def read_records(path: Path) -> Sequence[Record]:
    """Return the records of *path*: a data file, a folder with one, or a task folder with its `dataset.json`."""
    file = path / DATASET
    return scan(file if file.is_file() else path)


def to_task(raw: Mapping[str, Any], *, root: Path, outside: bool = False) -> Task:
    """Return the task of *raw*, with its cases in a folder below *root*, or anywhere if *outside* is allowed.

    Data: `instruction`, `type`, `position`, `sheet`, `folder` (relative to *root*), `cases` (no, source, gold, and a
    digest of both workbooks). Raises `DataError` for a record that lacks something, or whose workbooks do.
    """
    task_id = _text(raw, "id")
    if not task_id:
        raise DataError("no id")
    instruction, position = _text(raw, "instruction"), _text(raw, "answer_position")
    if not instruction:
        raise DataError(f"{task_id!r} has no instruction")
    try:
        parse_position(position)
    except DataError as error:
        raise DataError(f"{task_id!r}: {error}") from None
    given = _text(raw, "spreadsheet_path") or f"spreadsheet/{task_id}"
    folder = _below(root, given, task_id, outside=outside)
    kind = _text(raw, "instruction_type")
    return Task(
        id=task_id,
        kind=KINDS.get(kind.casefold(), "other"),
        data={
            "instruction": instruction,
            "type": kind,
            "position": position,
            "sheet": _text(raw, "answer_sheet"),
            "folder": given,
            "cases": [
                {**asdict(case), "digest": _digest(folder / case.source, folder / case.gold)}
                for case in find_cases(folder, task_id)
            ],
        },
    )


def folder_of(task: Task, root: Path) -> Path:
    """Return the folder with the workbooks of *task*."""
    return root / str(task.data["folder"])


def _below(root: Path, given: str, task_id: str, *, outside: bool) -> Path:
    folder = root / given.replace("\\", "/")
    if not outside and not folder.resolve().is_relative_to(root.resolve()):
        raise DataError(
            f"{task_id!r}: spreadsheet_path {given!r} leads out of env.data_root ({root}); "
            "env.allow_external_paths: true permits that"
        )
    return folder


def _digest(*files: Path) -> str:
    whole = sha256()
    for file in files:
        whole.update(sha256(file.read_bytes()).digest())
    return whole.hexdigest()[:16]


def _text(record: Mapping[str, Any], name: str) -> str:
    value = record.get(name)
    if value is None or isinstance(value, str | int):
        return "" if value is None else str(value).strip()
    raise DataError(f"field {name!r} must be text, not {type(value).__name__}")

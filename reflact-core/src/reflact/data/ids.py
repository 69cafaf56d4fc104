"""Identity of tasks: a file name for every id, and a digest of what a task holds."""

import json
import re
from hashlib import sha256

from reflact.errors import DataError
from reflact.types import Task

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_DEVICES = frozenset({"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))})


RETRY = ".retry-"
"""Stands between the name of a task's folder and the number of a further attempt."""


def safe_id(task_id: str) -> str:
    """Return a file name for *task_id*: the id where it is a harmless name, else a cleaned stem and 8 hex digits.

    Pure and stable, so that every stage finds a task's files again. Two different ids get two different names, but
    names may differ in case only.
    """
    if _PLAIN.fullmatch(task_id) and not task_id.endswith(".") and task_id.split(".")[0].lower() not in _DEVICES:
        return task_id
    stem = re.sub(r"[^A-Za-z0-9._-]+", "_", task_id)[:80].strip("._-") or "task"
    return f"{stem}-{sha256(task_id.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def content_hash(task: Task) -> str:
    """Return the SHA-256, as 64 hex digits, of the task's kind and data; its id plays no part.

    Raises `DataError` when the data are not JSON, or cannot be written as UTF-8.
    """
    try:
        text = json.dumps(
            {"kind": task.kind, "data": dict(task.data)}, sort_keys=True, ensure_ascii=False, allow_nan=False
        )
        return sha256(text.encode()).hexdigest()
    except (TypeError, ValueError) as error:
        raise DataError(f"task {task.id!r}: its data cannot be written as JSON in UTF-8: {error}") from error

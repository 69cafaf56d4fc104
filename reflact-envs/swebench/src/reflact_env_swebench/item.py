"""One issue: what the agent is told of it, and, apart from that, what only a judge may know."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from reflact import DataError, Task

PUBLIC = ("repo", "base_commit", "version", "image", "repo_path", "problem_statement", "test_command", "log_parser")
"""The fields that become a task's data. Patch, tests and hints are none of them."""
NEEDED = ("repo", "base_commit", "problem_statement")
ENRICHED = ("image", "eval_script", "log_parser", "eval_type")
"""What the official evaluation needs of an item since version 5."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """What solves an issue, and how that is seen; `record` is the item as it was published."""

    patch: str
    test_patch: str
    target: tuple[str, ...]
    """Tests that fail, and must pass with the right patch (FAIL_TO_PASS)."""
    kept: tuple[str, ...]
    """Tests that pass, and still must (PASS_TO_PASS)."""
    record: Mapping[str, Any]


def to_task(raw: Mapping[str, Any]) -> Task:
    """Return the task of *raw*. A digest stands for what is hidden, so that data that changed are other data.

    Raises `DataError` for a record without an id, a repository, a commit or an issue.
    """
    task_id = str(raw.get("instance_id") or raw.get("id") or "").strip()
    if not task_id:
        raise DataError("no instance_id")
    for name in NEEDED:
        if not isinstance(raw.get(name), str) or not raw[name].strip():
            raise DataError(f"{task_id!r} has no {name}")
    gold = gold_of(raw)
    hidden = json.dumps([gold.patch, gold.test_patch, gold.target, gold.kept], ensure_ascii=False)
    data = {name: str(raw[name]) for name in PUBLIC if raw.get(name) is not None}
    return Task(id=task_id, kind=raw["repo"], data={**data, "hidden": sha256(hidden.encode()).hexdigest()[:16]})


def gold_of(raw: Mapping[str, Any]) -> Gold:
    """Return what *raw* keeps from the agent. Raises `DataError` when there is no test that should pass."""
    target = _tests(raw, "FAIL_TO_PASS")
    if not target:
        raise DataError(f"{raw.get('instance_id')!r} has no FAIL_TO_PASS: a list of the tests that a right patch mends")
    return Gold(
        patch=str(raw.get("patch") or ""),
        test_patch=str(raw.get("test_patch") or ""),
        target=target,
        kept=_tests(raw, "PASS_TO_PASS"),
        record=raw,
    )


def _tests(raw: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """Return a list of tests, which may be written as JSON in a text."""
    found = raw.get(name) or []
    try:
        found = json.loads(found) if isinstance(found, str) else found
    except ValueError as error:
        raise DataError(f"{raw.get('instance_id')!r}: {name} is not a JSON list: {error}") from error
    if not isinstance(found, list | tuple) or not all(isinstance(one, str) for one in found):
        raise DataError(f"{raw.get('instance_id')!r}: {name} must be a list of names of tests")
    return tuple(found)

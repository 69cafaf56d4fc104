"""What the teacher may know of a game when it looks deeper: how people described it, and how it can be done."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from reflact import Task

from reflact_env_alfworld.places import TRAJECTORY

SENTENCES = 3
STEPS = 12


def reference(task: Task, gamefile: Path) -> str:
    """Return the task type, ALFRED's description and plan of the game, and the commands that win it, as markdown."""
    about = _read(gamefile.with_name(TRAJECTORY))
    parts = (
        ("Task type", [str(about.get("task_type") or task.kind)]),
        ("Described by people as", list(_sentences(about))),
        ("Steps as described", list(_described(about))),
        ("Parameters", [f"{key}: {value}" for key, value in (about.get("pddl_params") or {}).items() if value]),
        ("Plan", list(_plan(about))),
        ("Commands that win it", list(walkthrough(gamefile))),
        ("Scene", [f"{key}: {value}" for key, value in (about.get("scene") or {}).items() if _is_plain(value)]),
    )
    return "\n\n".join(f"{title}:\n" + "\n".join(f"- {one}" for one in lines) for title, lines in parts if lines)


def walkthrough(gamefile: Path) -> tuple[str, ...]:
    """Return the commands that win the game, as its file tells them; nothing when it does not."""
    return tuple(map(str, _read(gamefile).get("walkthrough") or ()))


def _sentences(about: Mapping[str, Any]) -> Iterator[str]:
    for one in _annotations(about)[:SENTENCES]:
        if one.get("task_desc"):
            yield str(one["task_desc"]).strip()


def _described(about: Mapping[str, Any]) -> Iterator[str]:
    for one in _annotations(about)[:1]:
        yield from (str(text).strip() for text in (one.get("high_descs") or [])[:STEPS])


def _plan(about: Mapping[str, Any]) -> Iterator[str]:
    for one in ((about.get("plan") or {}).get("high_pddl") or [])[:STEPS]:
        action = one.get("discrete_action") or {}
        if action.get("action"):
            yield " ".join([str(action["action"]), *map(str, action.get("args") or [])])


def _annotations(about: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    found: list[Mapping[str, Any]] = (about.get("turk_annotations") or {}).get("anns") or []
    return found


def _is_plain(value: object) -> bool:
    return isinstance(value, str | int)


def _read(file: Path) -> Mapping[str, Any]:
    if not file.is_file():
        return {}
    content: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return content

"""Which models a skill was trained with, when it lies in a run's folder; with others its score may not hold."""

from __future__ import annotations

import json
from pathlib import Path

from reflact.config import Resolved
from reflact.engine.calling import model_name
from reflact.store.files import read

MANIFEST = "run_manifest.json"


def tuned_with(skill: Path) -> str | None:
    """Return the student `backend:model` that *skill*, a file in a run's folder, was trained with; else None."""
    found = next((folder / MANIFEST for folder in skill.absolute().parents[:2] if (folder / MANIFEST).is_file()), None)
    if found is None:
        return None
    config = json.loads(read(found)).get("config", {})
    backend = config.get("student_backend")
    return f"{backend}:{config.get('student_model') or backend}" if backend else None


def student_of(resolved: Resolved) -> str:
    """Return the student as `backend:model`."""
    role = resolved.roles["student"]
    return f"{role.backend}:{model_name(role)}"


def other_student(skill: Path, resolved: Resolved) -> tuple[str, ...]:
    """Return a note when *skill* was trained with another student than the one that is going to use it."""
    before, now = tuned_with(skill), student_of(resolved)
    if before is None or before == now:
        return ()
    return (f"{skill} was trained with {before}; the student now is {now}, and what helped one may not help another",)

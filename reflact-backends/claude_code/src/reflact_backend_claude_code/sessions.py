"""Going on with the session of an earlier job: its file is kept beside the workspace, and put back into a new home."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from uuid import uuid4

from reflact.agents import RESULT, WORKSPACE, Private, Secrets
from reflact.errors import BackendError
from reflact.types import Resume

from reflact_backend_claude_code.arguments import Start

SESSION = "session.jsonl"
PROJECTS = "projects"
"""The folder of sessions, with a folder for each working folder; not all versions look into the others."""
_ODD = re.compile(r"[^A-Za-z0-9]")


def new() -> Start:
    """Return the start of a session that never was."""
    return Start(session_id=str(uuid4()))


def save(home: Path, session_id: str, workdir: Path, secrets: Secrets) -> None:
    """Keep the file of session *session_id*, which Claude Code wrote below its folder *home*, without secrets."""
    found = next(iter((home / PROJECTS).glob(f"*/{session_id}.jsonl")), None) if session_id else None
    if found is not None:
        (workdir / SESSION).write_text(secrets.masked_lines(found.read_bytes()), encoding="utf-8", newline="")


def restore(resume: Resume, *, home: Path, workdir: Path, private: Private) -> Start:
    """Put the session of an earlier job into *home* and return where it goes on.

    The folders it names become those of the new job: what the agent remembers lies where it works now, and it is told
    of no change. Its system prompt is the one on record, which holds no skill. Raises `BackendError` (bad_request)
    when that job left no session, or none of its steps by then can be gone on after.
    """
    earlier = resume.workdir
    try:
        told: dict[str, Any] = json.loads((earlier / RESULT).read_text(encoding="utf-8"))
        text = (earlier / SESSION).read_text(encoding="utf-8")
        session_id, after = str(told["session"]), handle(told["handles"], resume.after_step)
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise BackendError(
            f"claude_code_exec: the job in {earlier} left no session to go on with: {error}", fault="bad_request"
        ) from error
    if not after:
        raise BackendError(
            f"claude_code_exec: the session in {earlier} cannot be gone on with after step {resume.after_step}.",
            fault="bad_request",
        )
    moved = {str(told.get("workspace") or ""): str(workdir.resolve() / WORKSPACE)}
    moved[str(told.get("private") or "")] = str(private.root)
    for old, new_ in moved.items():
        text = text.replace(_quoted(old), _quoted(new_)) if old else text
    folder = home / PROJECTS / _ODD.sub("-", str(workdir.resolve() / WORKSPACE))
    folder.mkdir(parents=True)
    (folder / f"{session_id}.jsonl").write_text(text, encoding="utf-8", newline="")
    return Start(session_id=session_id, after=after)


def handle(handles: dict[str, str], after_step: int) -> str:
    """Return the event to go on after, for a step or the nearest one before it that has one; empty when none has."""
    known = {int(step): event for step, event in handles.items() if int(step) <= after_step}
    return known[max(known)] if known else ""


def _quoted(path: str) -> str:
    """Return *path* as it stands in JSON."""
    return json.dumps(path, ensure_ascii=False)[1:-1]

"""Going on after step k of an earlier job: its session up to there, under a new name, in a Codex folder of its own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from uuid import uuid4

from reflact import BackendError, Resume
from reflact.agents import RESULT

from reflact_backend_codex.attempt import Attempt
from reflact_backend_codex.rollout import CALLS, OUTPUTS, Row, Session, rows_of, to_lines

SESSION = "session.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumed:
    """A session that is ready to be resumed: its name for Codex, how many rows it has, and the skill it was shown."""

    thread: str
    rows: int
    skill: str


def place(resume: Resume, attempt: Attempt, workspace: Path) -> Resumed:
    """Put the session of *resume*, cut after its step, where *attempt* finds it. The folders it names are now its own.

    Raises `BackendError` (bad_request) when the earlier job left no session, or has no such step.
    """
    file = resume.workdir / SESSION
    if not file.is_file():
        raise BackendError(f"codex_exec: {file} is not there: that job left no session to resume.", fault="bad_request")
    record = json.loads((resume.workdir / RESULT).read_text("utf-8"))
    rows = prefix(Session(rows_of(file.read_bytes()), int(record.get("rows_before") or 0)), resume.after_step)
    thread = str(uuid4())
    text = to_lines(rows)
    moved = {
        _thread(rows): thread,
        str(record.get("workspace") or ""): str(workspace),
        str(record.get("private") or ""): str(attempt.private.root),
    }
    for old, new in moved.items():
        text = text.replace(json.dumps(old)[1:-1], json.dumps(new)[1:-1]) if old else text
    now = datetime.now()
    folder = attempt.home / "sessions" / f"{now:%Y}" / f"{now:%m}" / f"{now:%d}"
    folder.mkdir(parents=True)
    (folder / f"rollout-{now:%Y-%m-%dT%H-%M-%S}-{thread}.jsonl").write_text(text, encoding="utf-8")
    return Resumed(thread=thread, rows=len(rows), skill=str(record.get("skill") or ""))


def prefix(session: Session, after_step: int) -> tuple[Row, ...]:
    """Return the rows of *session* up to the end of step *after_step* (from 1; 0 keeps what came before the first).

    A call that had no output by then was not known to the model as done, and is left out.
    """
    steps = session.steps
    if not 0 <= after_step <= len(steps):
        raise BackendError(
            f"codex_exec: cannot resume after step {after_step}: the job has {len(steps)} steps.", fault="bad_request"
        )
    kept = session.rows[: max((int(one.handle) for one in steps[:after_step]), default=session.begin)]
    answered = {row["payload"].get("call_id") for row in kept if row["payload"].get("type") in OUTPUTS}
    return tuple(
        row for row in kept if row["payload"].get("type") not in CALLS or row["payload"].get("call_id") in answered
    )


def _thread(rows: Sequence[Row]) -> str:
    return next((str(row["payload"].get("id") or "") for row in rows if row.get("type") == "session_meta"), "")

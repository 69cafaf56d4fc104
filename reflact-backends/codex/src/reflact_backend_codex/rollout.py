"""The session file of Codex: every call and its output, also those that `--json` leaves out. The trace of record."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from reflact.agents import SKILL_NAME, Step
from reflact.types import Usage

from reflact_backend_codex.calls import called, ended
from reflact_backend_codex.events import usage_of

Row = Mapping[str, Any]
CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call"})
OUTPUTS = frozenset({f"{name}_output" for name in CALLS})
_IMAGE = re.compile(r"<image name=\[Image #\d+\] path=")
_SKILL = re.compile(rf"<skill>\s*<name>{re.escape(SKILL_NAME)}</name>")


@dataclass(frozen=True, slots=True)
class Session:
    """The rows of a session file, of which the first `before` were there when the job began."""

    rows: tuple[Row, ...]
    before: int = 0

    @property
    def steps(self) -> tuple[Step, ...]:
        """What the agent did in this job; the handle of a step is the number of rows up to its end."""
        return tuple(_steps(self.rows, self.before))

    @property
    def begin(self) -> int:
        """How many rows come before the first thing the agent said or did in this job."""
        own = (place for place in range(self.before, len(self.rows)) if _is_own(_item(self.rows[place])))
        return next(own, len(self.rows))

    @property
    def usage(self) -> Usage:
        """What the requests of this job took, each counted once."""
        total = Usage()
        for row in self.rows[self.before :]:
            if row.get("type") == "token_usage_record" and isinstance(row["payload"].get("usage"), dict):
                total += usage_of(row["payload"]["usage"])
        return total

    @property
    def shows_the_skill(self) -> bool:
        """Whether the skill was put before the model, now or in the part that was resumed."""
        return any(_SKILL.search(_text(one)) for one in map(_item, self.rows) if _is_user(one))

    @property
    def lost_image(self) -> str:
        """What names the first image that Codex could not read and left out, without a word to us; empty if none."""
        for item in map(_item, self.rows[self.before :]):
            parts = [one for one in item.get("content") or () if isinstance(one, dict)] if _is_user(item) else []
            for part, after in pairwise([*parts, {}]):
                if _IMAGE.match(str(part.get("text") or "")) and after.get("type") != "input_image":
                    return str(part["text"])
        return ""


def read_session(codex_home: Path, *, before: int = 0) -> Session | None:
    """Return the newest session below *codex_home*; `None` when Codex wrote none."""
    files = sorted((codex_home / "sessions").rglob("rollout-*.jsonl"), key=lambda file: file.stat().st_mtime_ns)
    return Session(rows_of(files[-1].read_bytes()), before) if files else None


def rows_of(content: bytes) -> tuple[Row, ...]:
    """Return the rows of a session file; a broken last row is what a kill leaves, and ends it."""
    rows: list[Row] = []
    for line in content.splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            break
        if isinstance(row, dict) and isinstance(row.get("payload"), dict):
            rows.append(row)
    return tuple(rows)


def to_lines(rows: Sequence[Row]) -> str:
    """Return *rows* as the text of a session file."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _steps(rows: Sequence[Row], before: int) -> Iterator[Step]:
    """Yield the steps that begin after *before* rows, in that order; one without an output ends where it began."""
    outputs = {one.get("call_id"): place for place, one in enumerate(map(_item, rows)) if one.get("type") in OUTPUTS}
    for place in range(before, len(rows)):
        item = _item(rows[place])
        if item.get("type") in CALLS:
            end = outputs.get(item.get("call_id"))
            step = called(item)
            if end is not None:
                step = ended(step, _item(rows[end]).get("output"), _codes(rows[place:end]))
            yield replace(step, handle=str((place if end is None else end) + 1))
        elif (said := _said(item)) is not None:
            yield replace(said, handle=str(place + 1))


def _is_user(item: Row) -> bool:
    return item.get("type") == "message" and item.get("role") == "user"


def _is_own(item: Row) -> bool:
    """Return whether *item* is the agent's: a call, or something said or thought."""
    return item.get("type") in CALLS or item.get("type") == "reasoning" or _said(item) is not None


def _said(item: Row) -> Step | None:
    """Return the step of an *item* that is no call; `None` when it is no step at all."""
    if item.get("type") == "message" and item.get("role") == "assistant":
        return Step(kind="message", content=_text(item))
    if item.get("type") == "reasoning":
        parts = [str(one.get("text") or "") for one in item.get("summary") or () if isinstance(one, dict)]
        return Step(kind="reasoning", content="\n".join(parts)) if any(parts) else None
    if item.get("type") == "web_search_call":
        return Step(kind="tool", content=f"web_search {json.dumps(item.get('action'), ensure_ascii=False)}")
    return None


def _codes(rows: Sequence[Row]) -> list[int]:
    """Return the exit codes of the commands that Codex reports among *rows*."""
    items = [row["payload"].get("item") or {} for row in rows if row.get("type") == "event_msg"]
    codes = [item.get("exit_code") for item in items if item.get("type") == "CommandExecution"]
    return [code for code in codes if isinstance(code, int)]


def _item(row: Row) -> Row:
    payload: Row = row["payload"] if row.get("type") == "response_item" else {}
    return payload


def _text(item: Row) -> str:
    parts = [one for one in item.get("content") or () if isinstance(one, dict)]
    return "".join(str(one.get("text") or "") for one in parts)

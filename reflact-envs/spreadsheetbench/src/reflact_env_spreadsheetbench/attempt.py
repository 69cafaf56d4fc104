"""What a student hands in for a task."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

StoppedBy = Literal["ok", "verified", "no_answer", "turns", "time"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """The program (empty for none), the last reply, the number of replies, and what ended the work.

    `ok`: the student, or a program that ran. `verified`: a program whose cells were right, where that is told.
    """

    program: str
    reply: str
    turns: int = 1
    stopped_by: StoppedBy = "ok"

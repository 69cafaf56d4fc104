"""A student that writes a program in a reply, is told how it ran, and writes another until it runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from reflact import ChatRequest, Message, Student

from reflact_env_spreadsheetbench.attempt import Attempt, StoppedBy
from reflact_env_spreadsheetbench.extract import extract_code


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """How a program did: what to tell the student (nothing ends the work), and whether its cells were looked at."""

    told: str = ""
    verified: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """Asks until a program runs. `tried` runs one and reports; `missing` is said of a reply without any."""

    tried: Callable[[str], Report]
    missing: str
    max_turns: int
    max_tokens: int
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)

    def __call__(self, messages: Sequence[Message], *, student: Student) -> Attempt:
        """Return what *student* hands in: the last program it wrote. Raises `BackendError` without a reply."""
        began = self.clock()
        said, program = list(messages), ""
        for turn in range(1, self.max_turns + 1):
            reply = student.chat(ChatRequest(messages=tuple(said), max_tokens=self.max_tokens)).text
            found = extract_code(reply)
            program = found or program
            if turn == self.max_turns:
                return Attempt(program=program, reply=reply, turns=turn, stopped_by="ok" if turn == 1 else "turns")
            report = self.tried(found) if found else Report(told=self.missing)
            if not report.told:
                ended: StoppedBy = "verified" if report.verified else "ok"
                return Attempt(program=program, reply=reply, turns=turn, stopped_by=ended)
            if self.clock() - began >= student.timeout_s:
                return Attempt(program=program, reply=reply, turns=turn, stopped_by="time")
            said += [Message(role="assistant", content=reply), Message(role="user", content=report.told)]
        raise AssertionError("unreachable")

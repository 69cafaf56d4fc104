"""A student that works in a folder with tools, and leaves `solution.py` there."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from reflact import Message, Student
from reflact.errors import DataError
from reflact.kit.actions import Action, Arguments
from reflact.kit.sandbox import Job
from reflact.kit.toolloop import Ended, ToolLoop

from reflact_env_spreadsheetbench.attempt import Attempt, StoppedBy
from reflact_env_spreadsheetbench.booth import ONE_THREAD, Booth, taken
from reflact_env_spreadsheetbench.execute import DRIVER, OUTPUT
from reflact_env_spreadsheetbench.extract import extract_code
from reflact_env_spreadsheetbench.workbook import Reader

BASH_S = 60.0
SHOWN_CHARS = 4000
HEAD_CHARS = 1000
PROGRAM, PROGRAM_MB = "solution.py", 1
INPUT = "input.xlsx"
ENDED: Mapping[Ended, StoppedBy] = {"answered": "ok", "no_answer": "no_answer", "turns": "turns", "time": "time"}


class BashCall(Arguments):
    """Arguments of `bash`."""

    cmd: str


class WriteFileCall(Arguments):
    """Arguments of `write_file`."""

    path: str
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Workshop:
    """A folder with `input.xlsx`, and what a student may do there."""

    booth: Booth
    reader: Reader
    work: Path
    max_output_mb: int

    def bash(self, call: BashCall) -> str:
        """Return what a command prints, run in the sandbox, and after a run of the program what it has written."""
        path = f"{Path(self.booth.python).parent}:" if "/" in self.booth.python else ""
        ran = self.booth.run(
            Job(
                argv=("bash", "-c", call.cmd),
                work=self.work,
                environment={**ONE_THREAD, "PATH": f"{path}/usr/local/bin:/usr/bin:/bin"},
                limits=replace(self.booth.limits, seconds=min(BASH_S, self.booth.limits.seconds)),
            )
        )
        printed = "\n".join(part.rstrip("\n") for part in (ran.stdout, ran.stderr) if part.strip())
        ended = f"[{ran.reason}]" if ran.reason else ""
        check = self._check() if re.search(r"python\S*\s.*solution\.py", call.cmd) else ""
        return "\n".join(filter(None, (_middle_out(printed), ended, check))) or "[nothing printed]"

    def write_file(self, call: WriteFileCall) -> str:
        """Write a file in the folder. Raises `DataError` for a path that leads out of it."""
        root = self.work.resolve()
        target = root / call.path
        folder = target.parent.resolve()
        if not folder.is_relative_to(root) or target.name in ("", "..") or target.is_dir():
            raise DataError(f"{call.path!r} is no file in the working folder")
        folder.mkdir(parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_NONBLOCK
        with os.fdopen(os.open(folder / target.name, flags, 0o644), "w", encoding="utf-8", errors="replace") as file:
            file.write(call.content)
        return f"[{len(call.content)} characters written to {(folder / target.name).relative_to(root)}]"

    def program(self) -> str:
        """Return the program that lies in the folder; empty for none."""
        try:
            return taken(self.work / PROGRAM, most_mb=PROGRAM_MB).decode("utf-8-sig", "replace")
        except DataError:
            return ""

    def _check(self) -> str:
        try:
            text, unknown = self.reader.preview(taken(self.work / OUTPUT, most_mb=self.max_output_mb))
        except DataError as error:
            return f"[check of {OUTPUT}: {error}]"
        formulas = f"\n{unknown} formulas have no stored value; write values instead" if unknown else ""
        return f"[check of {OUTPUT}]\n{text[:HEAD_CHARS]}{formulas}"


def react(
    messages: Sequence[Message], *, student: Student, shop: Workshop, source: Path, max_turns: int, max_tokens: int
) -> Attempt:
    """Return what *student* hands in after working in *shop* on a copy of *source*."""
    (shop.work / INPUT).write_bytes(source.read_bytes())
    (shop.work / DRIVER.name).write_bytes(DRIVER.read_bytes())
    actions: list[Action[Any]] = [
        Action(
            name="bash",
            description=f"Run a shell command in the working folder, for at most {BASH_S:g} seconds.",
            arguments=BashCall,
            run=shop.bash,
            max_chars=2 * SHOWN_CHARS,
        ),
        Action(
            name="write_file",
            description="Write a text file in the working folder, replacing what is there.",
            arguments=WriteFileCall,
            run=shop.write_file,
        ),
    ]
    loop = ToolLoop(actions=actions, max_turns=max_turns, max_tokens=max_tokens, seconds=student.timeout_s)
    talk = loop(messages, student=student)
    program = shop.program() or extract_code(talk.text)
    return Attempt(program=program, reply=talk.text, turns=talk.turns, stopped_by=ENDED[talk.ended])


def _middle_out(text: str) -> str:
    """Return *text* without its middle where it is too long: errors stand at the end."""
    if len(text) <= SHOWN_CHARS:
        return text
    left = len(text) - SHOWN_CHARS
    return f"{text[:HEAD_CHARS]}\n[… {left} characters …]\n{text[HEAD_CHARS - SHOWN_CHARS :]}"

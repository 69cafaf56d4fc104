"""A command-line agent as student: it has the first case's workbook in its folder, and leaves `solution.py` there."""

from __future__ import annotations

from pathlib import Path

from reflact import ExecJob, Skill, Student
from reflact.errors import DataError

from reflact_env_spreadsheetbench.attempt import Attempt
from reflact_env_spreadsheetbench.booth import taken
from reflact_env_spreadsheetbench.execute import DRIVER
from reflact_env_spreadsheetbench.extract import extract_code
from reflact_env_spreadsheetbench.react import INPUT, PROGRAM, PROGRAM_MB


def employ(prompt: str, *, student: Student, skill: Skill, workdir: Path, source: Path) -> Attempt:
    """Return what the agent hands in: its `solution.py`, else the program in its last message."""
    workdir.mkdir(parents=True, exist_ok=True)
    files: dict[str, str | bytes | Path] = {INPUT: source, DRIVER.name: DRIVER}
    job = ExecJob(workdir=workdir, prompt=prompt, skill=skill, timeout_s=student.timeout_s, files=files)
    result = student.run(job)
    program = ""
    if result.workspace is not None:
        try:
            program = taken(result.workspace / PROGRAM, most_mb=PROGRAM_MB).decode("utf-8-sig", "replace")
        except DataError:
            program = ""
    return Attempt(program=program if program.strip() else extract_code(result.answer), reply=result.answer)

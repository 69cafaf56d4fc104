"""Made-up task folders, an env over them, and programs in replies."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from shutil import which
from typing import Any

import pytest
from openpyxl import Workbook, load_workbook
from reflact import Task
from reflact.kit.scripted import EchoStudent
from reflact.types import Rollout, Skill
from reflact_env_spreadsheetbench.books import save
from reflact_env_spreadsheetbench.config import SpreadsheetConfig
from reflact_env_spreadsheetbench.env import SpreadsheetBench

Rows = Sequence[Sequence[Any]]
Sheets = Mapping[str, Rows]


@pytest.fixture
def confined() -> None:
    """Skips where no code can be confined."""
    if which("bwrap") is None:
        pytest.skip("bubblewrap is not installed")


@pytest.fixture
def calculating() -> None:
    """Skips where no formula can be computed."""
    if which("soffice") is None:
        pytest.skip("LibreOffice is not installed")


@pytest.fixture
def write_book() -> Callable[..., Path]:
    """Writes a workbook: `write_book(path, {"Sheet": rows}, stored={"A1": 1})`."""

    def write(path: Path, sheets: Sheets, *, stored: Mapping[str, object] | None = None) -> Path:
        book = Workbook()
        book.remove(book.worksheets[0])
        for title, rows in sheets.items():
            sheet = book.create_sheet(title)
            for row in rows:
                sheet.append(list(row))
        save(book, path, stored=stored)
        return path

    return write


@pytest.fixture
def add_task(tmp_path: Path, write_book: Callable[..., Path]) -> Callable[..., None]:
    """Adds a task of one case or more to `tmp_path/data`: `add_task("t", given, right, position="S!A1")`."""
    records: list[dict[str, Any]] = []

    def add(task_id: str, *cases: tuple[Sheets, Sheets], position: str, stored: Any = None, **more: Any) -> None:
        folder = tmp_path / "data" / "spreadsheet" / task_id
        for no, (given, right) in enumerate(cases, start=1):
            write_book(folder / f"{no}_{task_id}_input.xlsx", given)
            write_book(folder / f"{no}_{task_id}_answer.xlsx", right, stored=stored)
        kind = "Cell-Level Manipulation"
        records.append({"id": task_id, "instruction": "Do it.", "instruction_type": kind, "answer_position": position})
        records[-1] |= more
        (tmp_path / "data" / "dataset.json").write_text(json.dumps(records))

    return add


@pytest.fixture
def build(confined: None, tmp_path: Path) -> Callable[..., SpreadsheetBench]:
    """Builds an env over `tmp_path/data`, whose tasks all are training, validation and test tasks by turns."""

    def made(**settings: Any) -> SpreadsheetBench:
        given = {"data_path": str(tmp_path / "data"), "split_ratio": "1:1:1", "code_timeout": 20, **settings}
        return SpreadsheetBench(SpreadsheetConfig(**{"recalc": "off", "mode": "single", **given}))

    return made


@pytest.fixture
def one(build: Callable[..., SpreadsheetBench], add_task: Callable[..., None]) -> Callable[..., Any]:
    """Builds an env over one task (and two more of its kind, so that no split is empty) and finds the task."""

    def made(*cases: tuple[Sheets, Sheets], position: str = "S!B1", stored: Any = None, **settings: Any) -> Any:
        add_task("wanted-1", *cases, position=position, stored=stored)
        for task_id in ("other-1", "other-2"):
            add_task(task_id, *cases, position=position, stored=stored)
        env = build(**settings)
        return env, task_of(env, "wanted-1")

    return made


def task_of(env: SpreadsheetBench, task_id: str) -> Task:
    """Return the task of that id, whatever its split."""
    return next(task for split in ("train", "val", "test") for task in env.tasks(split) if task.id == task_id)


@pytest.fixture
def say(tmp_path: Path) -> Callable[..., Rollout]:
    """Runs a task with a student that always replies the same, or by a function of what it is asked."""

    def ran(env: SpreadsheetBench, task: Task, reply: Any, *, skill: str = "", student: Any = None) -> Rollout:
        who = student or EchoStudent(reply)
        return env.run(task, skill=Skill(skill), student=who, workdir=tmp_path / "work" / task.id)

    return ran


@pytest.fixture
def fenced() -> Callable[[str], str]:
    """Puts a program into a reply."""
    return lambda program: f"Here it is:\n```python\n{program}\n```\n"


@pytest.fixture
def values_of() -> Callable[[Path], Any]:
    """Reads a cell of a workbook's first sheet."""
    return lambda path, cell="B1": load_workbook(path).worksheets[0][cell].value

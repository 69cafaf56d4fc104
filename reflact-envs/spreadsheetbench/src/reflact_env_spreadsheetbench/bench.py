"""Everything a task's workbooks need: their preview, a trial of a program, and the score of the final one."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from reflact import Task
from reflact.kit.qa import Grade

from reflact_env_spreadsheetbench.booth import Booth, booth
from reflact_env_spreadsheetbench.config import SpreadsheetConfig
from reflact_env_spreadsheetbench.data import folder_of
from reflact_env_spreadsheetbench.execute import Executed, Executor
from reflact_env_spreadsheetbench.grade import CaseResult, grade
from reflact_env_spreadsheetbench.judge import Judged, Referee
from reflact_env_spreadsheetbench.libreoffice import office
from reflact_env_spreadsheetbench.ranges import Ref, parse_position
from reflact_env_spreadsheetbench.workbook import Reader, Reading

KEPT_PREVIEWS = 512
FEWEST_CHARS, MOST_TOLD = 4, 20
EMPTY_CODE = "empty-code-block"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """A case with its workbooks, and what the right one holds."""

    no: int
    source: Path
    gold: Path
    right: Reading


class Bench:
    """The workbooks of all tasks below one root, and the sandbox their programs run in."""

    def __init__(self, config: SpreadsheetConfig) -> None:
        self.booth: Booth = booth(config)
        self.execute = Executor(self.booth, config.max_output_mb)
        self.reader = Reader(self.booth)
        self._office = office(config, self.booth, lambda told: warnings.warn(told, RuntimeWarning, stacklevel=4))
        self._referee = Referee(self.reader, self._office)
        self._preview = lru_cache(maxsize=KEPT_PREVIEWS)(self.reader.preview)
        self._root = Path(config.data_root)

    @property
    def recalc(self) -> str:
        """What computes formulas: `libreoffice` with its release, or `off`."""
        return f"libreoffice {self._office.version}" if self._office else "off"

    def cases(self, task: Task) -> tuple[Ready, ...]:
        """Return the cases of *task*. Raises `DataError` for one whose right cells cannot be told."""
        refs, folder = parse_position(task.data["position"]), folder_of(task, self._root)
        return tuple(
            Ready(
                no=case["no"],
                source=folder / case["source"],
                gold=folder / case["gold"],
                right=self._referee.gold(folder / case["gold"], refs, task.data["sheet"]),
            )
            for case in task.data["cases"]
        )

    def preview(self, task: Task) -> str:
        """Return the beginning of every sheet of the first case's input."""
        return self._preview(folder_of(task, self._root) / task.data["cases"][0]["source"])[0]

    def judge(self, task: Task, case: Ready, ran: Executed) -> CaseResult:
        """Return what a run on *case* is worth."""
        if ran.workbook is None:
            return CaseResult(no=case.no, stage="exec", judged=Judged(verdict="fail", reason=ran.error))
        refs: Sequence[Ref] = parse_position(task.data["position"])
        return CaseResult(no=case.no, stage="eval", judged=self._referee(case.right, ran.workbook, refs))

    def score(self, task: Task, program: str, cases: Sequence[Ready], *, keep: Path | None) -> Grade:
        """Return the grade of *program*, run once on each of *cases* in a fresh folder; workbooks are kept in *keep*.

        Nothing that an earlier run has left counts.
        """
        if keep is not None:
            for stale in keep.glob("*_pred.xlsx"):
                stale.unlink()
        if not program.strip():
            return grade("", [_unrun(case) for case in cases], recalc=self.recalc, refused=EMPTY_CODE)
        results = []
        for case in cases:
            ran = self.execute(program, case.source)
            if keep is not None and ran.workbook is not None:
                keep.mkdir(parents=True, exist_ok=True)
                (keep / f"{case.no}_pred.xlsx").write_bytes(ran.workbook)
            results.append(self.judge(task, case, ran))
        return grade(program, results, recalc=self.recalc)


def _unrun(case: Ready) -> CaseResult:
    return CaseResult(no=case.no, stage="extract", judged=Judged(verdict="fail", reason=EMPTY_CODE))


def told_values(cases: Sequence[Ready], *, known: str) -> tuple[str, ...]:
    """Return texts and numbers of the right cells that would give a task away: of four characters or more, and not
    part of what is *known* to the student anyway. At most 20."""
    values = (cell.value for case in cases for part in case.right.parts for cell in part.cells.values())
    texts = (str(value) for value in values if isinstance(value, str | int | float) and not isinstance(value, bool))
    return tuple(dict.fromkeys(text for text in texts if len(text) >= FEWEST_CHARS and text not in known))[:MOST_TOLD]

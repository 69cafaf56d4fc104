"""The observer that tells a person how a run goes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from reflact.contracts import EpochRecord, RunInfo, StepRecord, Summary
from reflact.hookspecs import hookimpl
from reflact.store.files import read
from reflact.store.run import open_store

from reflact_cli.epochs import stage_results
from reflact_cli.report.epoch import stage_line
from reflact_cli.report.final import final_lines
from reflact_cli.report.numbers import score
from reflact_cli.report.start import start_lines
from reflact_cli.report.step import misses, notes, step_line, style
from reflact_cli.scores import baseline_score, current_score
from reflact_cli.screen.plain import Plain
from reflact_cli.screen.screen import Screen


class Console:
    """Writes on *screen*; *plugin_files* are those a command line needs to go on with the run."""

    def __init__(self, screen: Screen, plugin_files: tuple[Path, ...] = ()) -> None:
        self._screen = screen
        self._plugin_files = plugin_files
        self._out = Path()
        self._total = 0
        self._current: float | None = None

    @hookimpl
    def reflact_run_started(self, run: RunInfo) -> None:
        """Introduce the run, and say what its user should know."""
        self._out, self._total, self._current = run.out_root, run.total_steps, current_score(run.out_root)
        for line in start_lines(run):
            self._screen.line(line)
        for note in run.notes:
            self._screen.line(f"  note: {note}", "yellow")

    @hookimpl
    def reflact_step_finished(self, record: StepRecord) -> None:
        """Tell the step in a line, and in further lines what went amiss in it."""
        before = baseline_score(self._out) if self._current is None else self._current
        self._current = record.record["current_score"]
        self._screen.line(step_line(record.record, total=self._total, before=before), style(record.action))
        for line in (*misses(_edit_report(self._out, record.step)), *notes(record.record)):
            self._screen.line(f"    {line}", "yellow")

    @hookimpl
    def reflact_epoch_finished(self, record: EpochRecord) -> None:
        """Tell what its end has brought, and where the scores stand."""
        for result in stage_results(self._out, record.epoch):
            if line := stage_line(result, before=self._current):
                self._screen.line(f"  {line}", style(str(result.values.get("action", ""))))
        self._current = record.current_score
        counts = f"{record.accepts} accepted, {record.rejects} rejected, {record.skips} skipped"
        self._screen.line(f"epoch {record.epoch}: {counts}; best selection score {score(record.best_score)}", "bold")

    @hookimpl
    def reflact_run_finished(self, summary: Summary) -> None:
        """Tell what came of it; why a run broke off is told by whoever runs it."""
        if summary.error is None:
            for line in ("", *final_lines(summary, self._plugin_files)):
                self._screen.line(line)


plugin = Console(Plain())
"""The observer as it is installed, for runs that are not started from the command line."""


def _edit_report(out_root: Path, step: int) -> list[dict[str, Any]]:
    file = open_store(out_root).step(step).path / "edit_apply_report.json"
    return list(json.loads(read(file))) if file.is_file() else []

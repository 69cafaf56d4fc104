"""The env `spreadsheetbench`: an instruction and a workbook in, a program that changes such workbooks out."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from reflact import DataError, Message, Rollout, Skill, Split, Student, Task
from reflact.data.splits import load_splits
from reflact.kit.qa import graded, regraded
from reflact.kit.templates import Templates

from reflact_env_spreadsheetbench.agent import employ
from reflact_env_spreadsheetbench.attempt import Attempt
from reflact_env_spreadsheetbench.bench import Bench, Ready, told_values
from reflact_env_spreadsheetbench.config import SpreadsheetConfig
from reflact_env_spreadsheetbench.converse import Conversation, Report
from reflact_env_spreadsheetbench.data import read_records, to_task
from reflact_env_spreadsheetbench.react import Workshop, react
from reflact_env_spreadsheetbench.source import WANTED


class SpreadsheetBench:
    """Workbooks changed by generated Python, graded cell by cell."""

    def __init__(self, config: SpreadsheetConfig) -> None:
        self._config = config
        parse = partial(to_task, root=Path(config.data_root), outside=config.allow_external_paths)
        try:
            self._splits = load_splits(config, parse, reader=read_records)
        except DataError as error:
            raise DataError(f"{error}\n{WANTED}") from error
        self._templates = Templates(files(__package__) / "prompts")
        self._bench = Bench(config)
        self._taught = frozenset(task.id for task in self._splits["train"]) if config.eval_feedback == "train" else ()

    def tasks(self, split: Split) -> Sequence[Task]:
        """Return the tasks of *split*, in the order of its file."""
        return self._splits[split]

    def run(self, task: Task, *, skill: Skill, student: Student, workdir: Path) -> Rollout:
        """Have *student* write a program, run it once on every case, and grade what comes out."""
        cases, preview = self._bench.cases(task), self._bench.preview(task)
        workdir.mkdir(parents=True, exist_ok=True)
        (workdir / "spreadsheet_preview.txt").write_text(preview, encoding="utf-8")
        attempt = self._attempt(task, cases, preview, skill=skill, student=student, workdir=workdir)
        (workdir / "code.py").write_text(attempt.program, encoding="utf-8", errors="replace")
        (workdir / "raw.txt").write_text(attempt.reply, encoding="utf-8", errors="replace")
        keep = workdir if self._config.keep_pred_files else None
        grade = self._bench.score(task, attempt.program, cases, keep=keep)
        facts = {
            "instruction_type": task.data["type"],
            "n_turns": attempt.turns,
            "stopped_by": attempt.stopped_by,
            "sandbox": self._bench.booth.box.name,
            "spreadsheet_preview": preview[:3000],
        }
        question = f"{task.data['instruction']}\n\nAnswer position: {task.data['position']}"
        expected = told_values(cases, known=f"{question}\n{preview}")
        rollout = graded(task, grade, question=question, expected=expected)
        return replace(rollout, extra={**rollout.extra, **facts})

    def regrade(self, task: Task, rollout: Rollout) -> Rollout:
        """Return *rollout* with its program run and graded anew; no model is asked."""
        cases = self._bench.cases(task)
        return regraded(rollout, lambda _: self._bench.score(task, rollout.answer, cases, keep=None))

    def gold(self, task: Task) -> str:
        """Return a reply that is right: a program that brings the right workbooks with it."""
        golds = {
            sha256(case.source.read_bytes()).hexdigest(): base64.b64encode(case.gold.read_bytes()).decode()
            for case in self._bench.cases(task)
        }
        return self._templates.render("gold.md.j2", golds=golds)

    def _attempt(
        self, task: Task, cases: Sequence[Ready], preview: str, *, skill: Skill, student: Student, workdir: Path
    ) -> Attempt:
        config, first = self._config, cases[0]
        facts = {"task": task.data, "preview": preview}
        if student.kind == "exec":
            prompt = self._templates.render("agent.md.j2", **facts)
            return employ(prompt, student=student, skill=skill, workdir=workdir, source=first.source)
        if config.mode == "react":
            with self._bench.booth.folder() as work:
                return react(
                    self._messages("react_student.md.j2", "react.md.j2", skill, facts),
                    student=student,
                    shop=Workshop(
                        booth=self._bench.booth,
                        reader=self._bench.reader,
                        work=work,
                        max_output_mb=config.max_output_mb,
                    ),
                    source=first.source,
                    max_turns=config.max_turns,
                    max_tokens=config.max_completion_tokens,
                )
        official = config.prompt == "official"
        system, user = ("official_student.md.j2", "official.md.j2") if official else ("student.md.j2", "task.md.j2")
        talk = Conversation(
            tried=partial(self._tried, task, first),
            missing=self._templates.render("no_program.md.j2"),
            max_turns=config.max_turns if config.mode == "multi" else 1,
            max_tokens=config.max_completion_tokens,
        )
        return talk(self._messages(system, user, skill, facts), student=student)

    def _messages(self, system: str, user: str, skill: Skill, facts: Mapping[str, object]) -> list[Message]:
        told = self._templates.render(system, skill=skill.text)
        asked = Message(role="user", content=self._templates.render(user, **facts))
        return [Message(role="system", content=told), asked] if told.strip() else [asked]

    def _tried(self, task: Task, case: Ready, program: str) -> Report:
        """Report how *program* does on the first case: whether it runs, and in training, where wanted, which cells are
        wrong. What would be right is never told."""
        ran = self._bench.execute(program, case.source)
        if ran.workbook is None:
            return Report(told=self._templates.render("trouble.md.j2", error=ran.error, printed=ran.printed))
        if task.id not in self._taught:
            return Report()
        judged = self._bench.judge(task, case, ran).judged
        if judged.verdict == "pass" or not judged.wrong:
            return Report(verified=judged.verdict == "pass")
        most = self._config.max_feedback_cells
        wrong = [{"cell": one.cell, "got": one.got} for one in judged.wrong[:most]]
        return Report(told=self._templates.render("wrong.md.j2", wrong=wrong, more=len(judged.wrong) - len(wrong)))

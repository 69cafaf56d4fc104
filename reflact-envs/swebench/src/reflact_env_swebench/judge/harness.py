"""The official evaluation as a program of its own: a private folder, an id for each run, a deadline that holds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from uuid import uuid4

from reflact import BackendError, Task
from reflact.agents.process import Command, Ended, run

from reflact_env_swebench.environment import inherited
from reflact_env_swebench.item import Gold
from reflact_env_swebench.judge.report import MODEL, Missing, read
from reflact_env_swebench.judge.verdict import Verdict

LINES = 40
"""Lines of the evaluation's own output that are told when it breaks down."""
GRACE_S = 600.0
"""What starting and clearing up may take on top of the tests."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Harness:
    """Judges one patch at a time with `command`; a breakdown is tried again, `attempts` times in all."""

    command: Sequence[str]
    seconds: int
    attempts: int = 2
    grace_s: float = GRACE_S

    def __call__(self, task: Task, gold: Gold, patch: str, workdir: Path) -> Verdict:
        """Return the verdict on *patch*. What the evaluation wrote stays in *workdir*, and so does the patch."""
        verdict = self._once(task, gold, patch, workdir)
        for _ in range(1, self.attempts):
            if not verdict.fault:
                break
            verdict = self._once(task, gold, patch, workdir)
        return verdict

    def _once(self, task: Task, gold: Gold, patch: str, workdir: Path) -> Verdict:
        run_id = f"reflact_{sha256(f'{task.id} {patch}'.encode()).hexdigest()[:8]}_{uuid4().hex[:8]}"
        folder = workdir / "evaluation" / run_id
        folder.mkdir(parents=True)
        record = {key: value for key, value in gold.record.items() if key != "id"}
        prediction = {"model_name_or_path": MODEL, "instance_id": task.id, "model_patch": patch}
        _dump(folder / "dataset.json", [record])
        _dump(folder / "preds.json", {task.id: prediction})
        try:
            ended = run(self._job(task.id, run_id, folder))
        except BackendError as error:
            return Verdict(fault=f"the evaluation cannot be started: {error}")
        said = ended.stdout + b"\n" + ended.stderr
        (folder / "harness.log").write_bytes(said)
        try:
            return read(folder, run_id, task.id, gold)
        except Missing as error:
            return Verdict(fault=f"{self._ending(ended)}; {error}\n{_last(said)}")

    def _job(self, task_id: str, run_id: str, folder: Path) -> Command:
        words = ("-d", "dataset.json", "-s", "test", "-i", task_id, "-p", "preds.json", "--max_workers", "1")
        return Command(
            argv=(*self.command, *words, "-t", str(self.seconds), "-id", run_id, "--report_dir", "."),
            cwd=folder,
            environment=inherited(),
            timeout_s=self.seconds + self.grace_s,
            isolate=False,
        )

    def _ending(self, ended: Ended) -> str:
        if ended.timed_out:
            return f"the evaluation was not done within {self.seconds + self.grace_s:g} s"
        return f"the evaluation ended with exit code {ended.exit_code}"


def _dump(file: Path, value: object) -> None:
    file.write_text(json.dumps(value, ensure_ascii=False, default=str), encoding="utf-8")


def _last(said: bytes) -> str:
    return "\n".join(said.decode("utf-8", "replace").strip().splitlines()[-LINES:])

"""Run tasks with a skill: the pool, the rows on disk, the outage limit and exact curtailment, for every env alike."""

import shutil
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from reflact.data.ids import RETRY, content_hash, safe_id
from reflact.engine.progress import Progress, shown
from reflact.pool import each
from reflact.stages.gate import STRICT, Rule
from reflact.stages.score import cannot_beat, refuse_outage
from reflact.store.folder import Folder, Rows
from reflact.types import Rollout, Skill, Task

PREDICTIONS = "predictions"
"""The folder with a folder for each task."""
RunTask = Callable[[Task, Skill, Path, str, int], Rollout]
"""(task, skill, workdir, stage, repeat) -> rollout"""
RunBatch = Callable[[Sequence[Task], Skill, Callable[[Task], Path], str, int], Generator[Rollout, None, None]]
"""(tasks, skill, workdir of a task, stage, repeat) -> rollouts, as they finish"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Roller:
    """Rolls tasks out. `stamp` is the identity of env, student and settings: rows of another stamp are not reused."""

    run: RunTask
    stamp: Mapping[str, Any]
    workers: int
    max_error_rate: float
    progress: Progress
    rule: Rule = STRICT
    batch: RunBatch | None = None
    """Runs many tasks where the env does that itself."""

    def __call__(
        self, tasks: Sequence[Task], skill: Skill, at: Folder, *, what: str, bar: float | None = None, repeat: int = 0
    ) -> tuple[Rollout, ...]:
        """Return the rollouts of *tasks*, in their order, and keep them in *at*.

        With *bar*, stop as soon as no mean above it can be reached; what is returned is then the shortest prefix of
        *tasks* that proves it, which does not depend on the order in which replies came.
        """
        predictions = at.path / PREDICTIONS

        def workdir(task: Task) -> Path:
            return predictions / safe_id(task.id)

        def work(pending: Sequence[Task]) -> Generator[Rollout, None, None]:
            if self.batch:
                return self.batch(pending, skill, workdir, what, repeat)
            return self._each(pending, lambda task: self.run(task, skill, workdir(task), what, repeat))

        started = time.monotonic()
        rows = at.rows(self._stamped(tasks, skill, bar, repeat))
        if rows.complete:
            at.tell("results.jsonl", started, from_disk=True)
            return tuple(rows.done[task.id] for task in tasks if task.id in rows.done)
        pending = [task for task in tasks if task.id not in rows.done]
        clear(predictions, pending)
        with shown(self.progress, what, len(tasks)):
            for _ in range(len(tasks) - len(pending)):
                self.progress.advance()
            prefix = self._finish(tasks, pending, rows, work, what, bar)
        clear(predictions, tasks[len(prefix) :])
        rows.close(prefix)
        at.tell("results.jsonl", started, from_disk=False)
        return tuple(prefix)

    def has_all(self, tasks: Sequence[Task], skill: Skill, at: Folder) -> bool:
        """Return whether *at* has the rollouts of all *tasks* with *skill*, so that no model would be asked."""
        return at.has_all(self._stamped(tasks, skill, None, 0))

    def _stamped(self, tasks: Sequence[Task], skill: Skill, bar: float | None, repeat: int) -> dict[str, Any]:
        return {**self.stamp, "skill": skill.digest, "tasks": identity(tasks), "curtailed_at": bar, "repeat": repeat}

    def _finish(
        self,
        tasks: Sequence[Task],
        pending: Sequence[Task],
        rows: Rows,
        work: Callable[[Sequence[Task]], Generator[Rollout, None, None]],
        what: str,
        bar: float | None,
    ) -> list[Rollout]:
        done: dict[str, Rollout] = dict(rows.done)
        prefix: list[Rollout] = []
        failed: list[Rollout] = []

        def given_up() -> bool:
            while len(prefix) < len(tasks) and tasks[len(prefix)].id in done:
                prefix.append(done[tasks[len(prefix)].id])
                if bar is not None and cannot_beat(prefix, total=len(tasks), bar=bar, rule=self.rule):
                    return True
            return False

        if given_up():
            return prefix
        with closing(work(pending)) as finished:
            for rollout in finished:
                rows.add(rollout)
                done[rollout.task_id] = rollout
                self.progress.advance()
                if rollout.errored:
                    failed.append(rollout)
                    refuse_outage(failed, total=len(tasks), limit=self.max_error_rate, what=what)
                if given_up():
                    break
        return prefix

    def _each(self, pending: Sequence[Task], run: Callable[[Task], Rollout]) -> Generator[Rollout, None, None]:
        with closing(each(run, pending, self.workers)) as finished:
            for _, rollout in finished:
                yield rollout


def clear(folder: Path, tasks: Sequence[Task]) -> None:
    """Remove what all attempts at *tasks* left in *folder*, which is listed once."""
    names = {safe_id(task.id) for task in tasks}
    for one in folder.iterdir() if names and folder.is_dir() else ():
        if one.name in names or one.name.split(RETRY)[0] in names:
            shutil.rmtree(one, ignore_errors=True)


def identity(tasks: Sequence[Task]) -> str:
    """Return a digest of ids and contents, in order."""
    seen = sha256()
    for task in tasks:
        seen.update(f"{task.id}\0{content_hash(task)}\0".encode())
    return seen.hexdigest()[:16]

"""Let the student do many tasks of an env that runs them side by side itself. The same boundary as for a single one."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from reflact.contracts import SupportsBatch
from reflact.data.ids import RETRY
from reflact.stages.rollout import failed, settled
from reflact.stages.student import TaskStudent
from reflact.types import Rollout, Skill, Task, Usage


def run_batch(
    tasks: Sequence[Task],
    skill: Skill,
    *,
    env: SupportsBatch,
    student: Callable[[], TaskStudent],
    workdir: Callable[[Task], Path],
    workers: int,
    retries: int,
) -> Generator[Rollout, None, None]:
    """Yield the graded rollout of each of *tasks* as it is done; those not scored are tried again *retries* times.

    Every attempt has a folder of its own. Raises like `run_task`.
    """
    waiting = list(tasks)
    spent: dict[str, Usage] = {}
    for number in range(retries + 1):
        attempt = Attempt(env=env, make_student=student, workdir=workdir, number=number)
        failures: dict[str, Rollout] = {}
        with closing(attempt.rollouts(waiting, skill, workers)) as made:
            for one in made:
                rollout = replace(one, usage=spent.get(one.task_id, Usage()) + one.usage)
                if not rollout.errored or number == retries:
                    yield rollout
                else:
                    failures[rollout.task_id] = rollout
        spent |= {task_id: one.usage for task_id, one in failures.items()}
        waiting = [task for task in waiting if task.id in failures]
        if not waiting:
            return


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One attempt at tasks: each has its student, and a folder of its own."""

    env: SupportsBatch
    make_student: Callable[[], TaskStudent]
    workdir: Callable[[Task], Path]
    number: int
    students: dict[str, TaskStudent] = field(default_factory=dict)

    def rollouts(self, tasks: Sequence[Task], skill: Skill, workers: int) -> Generator[Rollout, None, None]:
        """Yield a rollout for each of *tasks*; one that the env failed, or forgot, is unscored."""
        left = {task.id: task for task in tasks}
        trouble: Exception = RuntimeError("the env gave no result for this task")
        with closing(self._made(tasks, skill, workers)) as made:
            for found in made:
                task = left.pop(found.task_id, None) if isinstance(found, Rollout) else None
                if task is None:
                    trouble = found if isinstance(found, Exception) else _stranger(found)
                    break
                yield self._graded(found, task)
        for task in left.values():
            yield self._checked(failed(trouble, task, self.student(task)), task)

    def student(self, task: Task) -> TaskStudent:
        """Return the student of *task*, always the same."""
        return self.students.setdefault(task.id, self.make_student())

    def folder(self, task: Task) -> Path:
        """Return the folder of this attempt at *task*."""
        first = self.workdir(task)
        return first.with_name(f"{first.name}{RETRY}{self.number}") if self.number else first

    def _made(self, tasks: Sequence[Task], skill: Skill, workers: int) -> Generator[object, None, None]:
        """Yield what the env gives, and at the end what it raises."""
        try:
            run_many = self.env.run_many
            yield from run_many(tasks, skill=skill, student=self.student, workdir=self.folder, workers=workers)
        except Exception as error:
            yield error

    def _graded(self, found: object, task: Task) -> Rollout:
        student = self.student(task)
        try:
            rollout = settled(found, task, student, self.folder(task))
        except (TypeError, ValueError) as error:
            rollout = failed(error, task, student)
        return self._checked(rollout, task)

    def _checked(self, rollout: Rollout, task: Task) -> Rollout:
        """Return *rollout*, unless its student met an error that ends the run."""
        ended = self.student(task).ended
        if ended is not None:
            raise ended
        return rollout


def _stranger(found: object) -> Exception:
    named = repr(found.task_id) if isinstance(found, Rollout) else type(found).__name__
    return TypeError(f"the env gave {named}, which is no rollout of a task it was given, or has one already")

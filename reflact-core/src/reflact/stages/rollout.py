"""Let the student do one task. The boundary at which a plugin's exception becomes data."""

import json
import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from reflact.contracts import Env
from reflact.errors import BackendError
from reflact.stages.student import TaskStudent
from reflact.types import Outcome, Rollout, Skill, Task


def run_task(
    task: Task, skill: Skill, *, env: Env, student: Callable[[], TaskStudent], workdir: Path, retries: int
) -> Rollout:
    """Return the graded rollout of *task*; infrastructure trouble is tried again *retries* times, then recorded.

    Raises `BackendError` only when no later task could succeed either (bad key, exhausted quota).
    """
    rollout = _attempt(task, skill, env, student(), workdir)
    for _ in range(retries):
        if rollout.scored:
            break
        again = _attempt(task, skill, env, student(), workdir)
        rollout = replace(again, usage=rollout.usage + again.usage)
    return rollout


def _attempt(task: Task, skill: Skill, env: Env, student: TaskStudent, workdir: Path) -> Rollout:
    try:
        rollout = env.run(task, skill=skill, student=student, workdir=workdir)
    except BackendError as error:
        if error.fatal:
            raise
        return _unscored(task, student, "timeout" if error.fault == "timeout" else "infra_error", str(error))
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        reason = f"{type(error).__name__}: {error} ({Path(where.filename).name}:{where.lineno})"
        return _unscored(task, student, "infra_error", reason)
    return replace(
        rollout,
        task_id=task.id,
        kind=task.kind,
        trace=rollout.trace or student.trace(),
        usage=rollout.usage if rollout.usage.calls else student.usage,
        outcome=student.outcome if rollout.outcome == "ok" else rollout.outcome,
        extra=json.loads(json.dumps(dict(rollout.extra))),
    )


def _unscored(task: Task, student: TaskStudent, outcome: Outcome, reason: str) -> Rollout:
    return Rollout(
        task_id=task.id,
        kind=task.kind,
        hard=0.0,
        soft=0.0,
        outcome=outcome,
        error=reason,
        trace=student.trace(),
        usage=student.usage,
    )

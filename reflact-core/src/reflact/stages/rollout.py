"""Let the student do one task. The boundary at which a plugin's exception becomes data."""

import json
import traceback
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

from pydantic import TypeAdapter

from reflact.contracts import Env
from reflact.data.ids import RETRY
from reflact.errors import BackendError
from reflact.stages.student import TaskStudent, unscored
from reflact.types import ERRORS, Outcome, Rollout, Skill, Task


def run_task(
    task: Task, skill: Skill, *, env: Env, student: Callable[[], TaskStudent], workdir: Path, retries: int
) -> Rollout:
    """Return the graded rollout of *task*; infrastructure trouble is tried again *retries* times, then recorded.

    Every attempt has a folder of its own. What is returned is what reading it back from a file will give. Raises
    `BackendError` only when no later task could succeed either (bad key, exhausted quota), and `BudgetError` when the
    run may not spend more; an env that swallows these has not graded anything.
    """
    rollout = _attempt(task, skill, env, student(), workdir)
    for number in range(1, retries + 1):
        if not rollout.errored:
            break
        again = _attempt(task, skill, env, student(), workdir.with_name(f"{workdir.name}{RETRY}{number}"))
        rollout = replace(again, usage=rollout.usage + again.usage)
    return rollout


def _attempt(task: Task, skill: Skill, env: Env, student: TaskStudent, workdir: Path) -> Rollout:
    rollout = _tried(task, skill, env, student, workdir)
    if student.ended is not None:
        raise student.ended
    return rollout


def _tried(task: Task, skill: Skill, env: Env, student: TaskStudent, workdir: Path) -> Rollout:
    try:
        return settled(env.run(task, skill=skill, student=student, workdir=workdir), task, student, workdir)
    except Exception as error:
        return failed(error, task, student)


def failed(error: Exception, task: Task, student: TaskStudent) -> Rollout:
    """Return the unscored rollout of *task*, which *error* put an end to."""
    if isinstance(error, BackendError):
        return _unscored(task, student, unscored(error.fault), str(error))
    where = [f" ({Path(one.filename).name}:{one.lineno})" for one in traceback.extract_tb(error.__traceback__)[-1:]]
    return _unscored(task, student, "infra_error", f"{type(error).__name__}: {error}{''.join(where)}")


def settled(rollout: object, task: Task, student: TaskStudent, workdir: Path) -> Rollout:
    """Return *rollout* with what the env left out, as a file can hold it. Raises `ValueError` when none can."""
    if not isinstance(rollout, Rollout):
        raise TypeError(f"the env returned {type(rollout).__name__} instead of a Rollout")
    filled = replace(
        rollout,
        task_id=task.id,
        kind=task.kind,
        trace=rollout.trace or student.trace(),
        usage=rollout.usage if rollout.usage.calls else student.usage,
        outcome=_outcome(rollout, task, student),
        agent_dir=_below(student.worked_in, workdir.parent),
    )
    data = _adapter().dump_python(filled, mode="json", warnings=False)
    text = json.dumps(data, ensure_ascii=False, allow_nan=False)
    settled = _adapter().validate_json(text.encode("utf-8", "replace"))
    for name in ("hard", "soft"):
        if not 0 <= getattr(settled, name) <= 1:
            raise ValueError(f"the env gave {name}={getattr(settled, name)}; it must lie between 0 and 1")
    return settled


def _outcome(rollout: Rollout, task: Task, student: TaskStudent) -> Outcome:
    found = student.outcome if rollout.outcome == "ok" else rollout.outcome
    return found if task.scorable or found in ERRORS else "ungraded"


def _below(folder: Path | None, root: Path) -> str:
    return folder.relative_to(root).as_posix() if folder and folder.is_relative_to(root) else ""


@cache
def _adapter() -> TypeAdapter[Rollout]:
    return TypeAdapter(Rollout)


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

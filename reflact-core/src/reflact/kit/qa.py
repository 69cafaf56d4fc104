"""One question, one reply, one graded rollout, whichever kind of student replies."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from reflact.contracts import Student
from reflact.errors import DataError
from reflact.types import Image, Outcome, Rollout, Skill, Task


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """How good a reply is: success `hard` (0 or 1), partial credit `soft` (0..1), and what a teacher should know.

    `outcome` and `error` are set where it is not known how good it is: the judge gave no verdict.
    """

    hard: float
    soft: float
    answer: str = ""
    feedback: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)
    outcome: Outcome = "ok"
    error: str | None = None


def single_round(
    task: Task,
    *,
    student: Student,
    skill: Skill,
    workdir: Path,
    prompt: str,
    grade: Callable[[str], Grade],
    question: str = "",
    expected: Sequence[str] = (),
    images: Sequence[Image] = (),
    max_tokens: int | None = None,
) -> Rollout:
    """Return the graded rollout of *student* replying to *prompt*, the user's message; *grade* takes the whole reply.

    *question* and *expected* are for the teacher; the student sees neither. Raises `BackendError` without a reply.
    """
    reply = student.answer(prompt, skill=skill, workdir=workdir, images=images, max_tokens=max_tokens)
    return graded(task, grade(reply), question=question, expected=expected)


def regraded(rollout: Rollout, grade: Callable[[str], Grade]) -> Rollout:
    """Return *rollout*, as it was stored, with what *grade* makes of its last reply: all of `regrade` for such an env.

    One without a score, for want of a reply, comes back as it is. Raises `DataError` when no reply is stored.
    """
    if not rollout.scored and rollout.outcome != "judge_error":
        return rollout
    found = grade(last_reply(rollout))
    was = "ok" if rollout.outcome == "judge_error" else rollout.outcome
    return replace(
        rollout,
        hard=found.hard,
        soft=found.soft,
        answer=found.answer,
        feedback=found.feedback,
        extra={**rollout.extra, **found.extra},
        outcome=was if found.outcome == "ok" else found.outcome,
        error=found.error,
    )


def last_reply(rollout: Rollout) -> str:
    """Return the last thing the student said in *rollout*. Raises `DataError` when its trace holds nothing of it."""
    said = [str(one.get("content", "")) for one in rollout.trace if one.get("role") == "assistant"]
    if not said:
        raise DataError(f"{rollout.task_id}: no reply of the student is stored, so it cannot be graded again")
    return said[-1]


def graded(task: Task, grade: Grade, *, question: str = "", expected: Sequence[str] = ()) -> Rollout:
    """Return *grade* as the rollout of *task*."""
    return Rollout(
        task_id=task.id,
        kind=task.kind,
        hard=grade.hard,
        soft=grade.soft,
        answer=grade.answer,
        question=question,
        expected=tuple(expected),
        feedback=grade.feedback,
        extra=grade.extra,
        outcome=grade.outcome,
        error=grade.error,
    )

"""One question, one reply, one graded rollout, whichever kind of student replies."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reflact.contracts import Student
from reflact.types import Image, Rollout, Skill, Task


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """How good a reply is: success `hard` (0 or 1), partial credit `soft` (0..1), and what a teacher should know."""

    hard: float
    soft: float
    answer: str = ""
    feedback: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)


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
    )

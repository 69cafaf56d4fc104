"""Asking about images: once, or again with the earlier attempts until a reply holds an answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from reflact.contracts import Student
from reflact.kit.media.store import Picture, images_of
from reflact.kit.turns import until_complete
from reflact.types import Skill


def ask_about(
    pictures: Sequence[Picture],
    *,
    student: Student,
    skill: Skill,
    workdir: Path,
    prompt: Callable[[Sequence[str]], str],
    complete: Callable[[str], bool],
    turns: int = 1,
    images_first: bool = False,
    max_tokens: int | None = None,
) -> tuple[str, ...]:
    """Return the replies of *student* to *prompt* and *pictures*, the last of which counts.

    *prompt* is given the replies so far. The student is asked until a reply is *complete*, at most *turns* times; the
    pictures are shown each time, after the prompt, or before it with *images_first*. Raises `BackendError` without a
    reply.
    """
    answer = partial(student.answer, images_first=True) if images_first else student.answer
    ask = partial(answer, skill=skill, workdir=workdir, images=images_of(pictures), max_tokens=max_tokens)
    return until_complete(lambda before: ask(prompt(before)), complete=complete, turns=turns)

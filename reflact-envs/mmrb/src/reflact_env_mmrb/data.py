"""From an official record of MMRB to a task."""

import re
from collections.abc import Mapping
from typing import Any

from reflact import DataError, Task
from reflact.kit.media import Media, as_source

from reflact_env_mmrb.compare import gold_labels
from reflact_env_mmrb.layout import key, sources

MOST_PATHS = 3
_LABELLED = re.compile(r"\(?([A-Z])\s*[).:]\s*(.*)", re.DOTALL)


def to_task(raw: Mapping[str, Any], *, media: Media, most: int) -> Task:
    """Return the task of *raw*, which may have up to *most* images (0: any number).

    Data: `question`, with its markers `{image#N}`, `options` by label, `is_shown`, whether the question has them
    already, `images` (sources, in order), what it is graded by (`answer`, `labels`, `is_choice`) and `reference`.
    Raises `DataError` for a record without id, question, answer or images, or with an image that cannot be used.
    """
    name = key(raw)
    if not name:
        raise DataError("no id: source, subtask and index are needed")
    question = _line(raw.get("question"))
    if not question:
        raise DataError(f"{name!r} has no question")
    answer = _line(", ".join(map(str, raw["answer"])) if isinstance(raw.get("answer"), list) else raw.get("answer"))
    if not answer:
        raise DataError(f"{name!r} has no answer")
    given = raw.get("options") if isinstance(raw.get("options"), list) else []
    listed = [_line(one) for one in given or []]
    options = _options(listed)
    kind = str(raw.get("question_type") or "")
    is_choice = kind.startswith("multi") if kind else bool(options)
    return Task(
        id=name,
        kind=str(raw["subtask"]),
        data={
            "question": question,
            "options": options,
            "is_shown": all(_LABELLED.fullmatch(one) and one in question for one in listed),
            "images": _images(raw, media, name, most),
            "is_choice": is_choice,
            "answer": answer,
            "labels": list(gold_labels(answer, options)) if is_choice else [],
            "reference": _solutions(raw.get("reasoning_steps")),
        },
    )


def _images(raw: Mapping[str, Any], media: Media, name: str, most: int) -> list[Any]:
    images = [as_source(one) for one in sources(raw.get("image_paths"))]
    if not images:
        raise DataError(f"{name!r} has no images")
    if most and len(images) > most:
        raise DataError(f"{name!r} has {len(images)} images, but env.image_limits allows {most} in one request")
    for number, image in enumerate(images, start=1):
        try:
            media.check(image)
        except DataError as error:
            raise DataError(f"{name!r}, image {number} of {len(images)}: {error}") from error
    return images


def _options(texts: list[str]) -> dict[str, str]:
    """Return *texts* by label: their own where all have one, each another, else A, B, C, …"""
    found = [_LABELLED.fullmatch(text) for text in texts]
    own = {match[1]: match[2].strip() for match in found if match}
    if len(own) == len(texts):
        return own
    return {chr(ord("A") + place): text for place, text in enumerate(texts[:26])}


def _solutions(paths: Any) -> str:
    """Return up to three worked solutions, step by step, in the words of those who corrected them."""
    told: list[str] = []
    for path in (paths if isinstance(paths, list) else [])[:MOST_PATHS]:
        steps = [one for one in (path if isinstance(path, list) else [path]) if isinstance(one, Mapping)]
        lines = [
            f"{number}. [{_line(step.get('reasoning type')) or 'Step'}] {_line(step.get('rationale_fix')) or rationale}"
            for number, step in enumerate(steps, start=1)
            if (rationale := _line(step.get("rationale"))) or _line(step.get("rationale_fix"))
        ]
        told += ["\n".join((f"Solution {len(told) + 1}", *lines))] if lines else []
    return "\n\n".join(told)


def _line(value: Any) -> str:
    return " ".join(str("" if value is None else value).split())

"""From an official record of MathVerse to a task."""

import re
from collections.abc import Mapping
from typing import Any

from reflact import DataError, Task
from reflact.kit.media import Media, as_source

from reflact_env_mathverse.layout import TEXT_ONLY, VISION_ONLY, problem
from reflact_env_mathverse.options import gold_labels, taken_apart

_LABEL = re.compile(r"\W*[A-Z]\W*")


def to_task(raw: Mapping[str, Any], *, media: Media, many: bool, kind: str = "subfield") -> Task:
    """Return the task of *raw*; its id also names the version when there are *many* versions of a problem.

    Its kind is its `subfield`, `subject` or `version`, as *kind* says; one of the others where it lacks that.

    Data: what is shown (`question`, `choices`, `image`, a source, or None), what it is graded by (`answer`, `labels`,
    `options`, `asked`, the question in full), `reference`, and what is told apart in a report. Raises `DataError` for a
    record without problem, question, answer or a usable image.
    """
    name, version = problem(raw), str(raw.get("problem_version") or "")
    shown = taken_apart(_text(raw, "question"))
    if not shown.stem and version != VISION_ONLY:
        raise DataError(f"problem {name!r} ({version or 'no version'}) has no question")
    answer = str("" if raw.get("answer") is None else raw["answer"]).strip()
    if not answer:
        raise DataError(f"problem {name!r} has no answer")
    wordiest = _text(raw, "text_dominant_question")
    asked = _text(raw, "question_for_eval") or _text(raw, "question") or wordiest
    full = taken_apart(asked)
    options = shown.options or full.options
    is_choice = _is_choice(raw, options)
    facts = raw["metadata"] if isinstance(raw.get("metadata"), Mapping) else {}
    told = {"version": version, **{name: str(facts.get(name) or "") for name in ("subject", "subfield")}}
    return Task(
        id=task_id(raw, many=many),
        kind=told[kind] or told["subfield"] or told["subject"] or ("multi-choice" if is_choice else "free-form"),
        data={
            "problem": name,
            "group": str(raw.get("group") or name),
            **told,
            "question": shown.stem,
            "choices": dict(shown.options),
            "image": None if version == TEXT_ONLY else _image(raw, media, name),
            "asked": asked,
            "options": dict(options),
            "is_choice": is_choice,
            "answer": answer,
            "labels": list(_labels(answer, options, name)) if is_choice else [],
            "reference": wordiest,
        },
    )


def task_id(raw: Mapping[str, Any], *, many: bool) -> str:
    """Return the id of *raw*: its problem, and its version where there are *many*. Raises `DataError` without one."""
    version = str(raw.get("problem_version") or "")
    return f"{problem(raw)}-{version.lower().replace(' ', '-')}" if many and version else problem(raw)


def _labels(answer: str, options: Mapping[str, str], name: str) -> tuple[str, ...]:
    labels = gold_labels(answer, options)
    if not labels and options and _LABEL.fullmatch(answer):
        raise DataError(f"problem {name!r}: its answer {answer!r} is none of its options {', '.join(options)}")
    return labels


def _is_choice(raw: Mapping[str, Any], options: Mapping[str, str]) -> bool:
    kind = str(raw.get("question_type") or "")
    return kind.startswith("multi") if kind else bool(options)


def _image(raw: Mapping[str, Any], media: Media, name: str) -> Any:
    if not raw.get("image"):
        raise DataError(f"problem {name!r} has no image, which only the version {TEXT_ONLY!r} can do without")
    source = as_source(raw["image"])
    media.check(source)
    return source


def _text(raw: Mapping[str, Any], name: str) -> str:
    return str(raw.get(name) or "").strip()

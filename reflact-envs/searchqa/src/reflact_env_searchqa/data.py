"""From a SearchQA record, in any of the shapes it is passed around in, to a task."""

from collections.abc import Mapping
from typing import Any

from reflact import DataError, Task


def to_task(raw: Mapping[str, Any]) -> Task:
    """Return the task of *raw*: data with `question`, `context` and `answers`.

    The id is `id`, `key` or `qid`; answers are a list, SQuAD's `{"text": [...]}`, or one text under `answer`.
    Raises `DataError` when a record has no id, no question or no answer.
    """
    task_id = next((str(raw[name]).strip() for name in ("id", "key", "qid") if raw.get(name) is not None), "")
    if not task_id:
        raise DataError("no id (nor key, nor qid)")
    question, context = _text(raw, "question"), _text(raw, "context")
    if not question.strip():
        raise DataError(f"{task_id!r} has no question")
    answers = [answer for answer in _answers(raw) if answer.strip()]
    if not answers:
        raise DataError(f"{task_id!r} has no answers: a list of texts, or one text under 'answer'")
    return Task(
        id=task_id,
        kind=str(raw.get("kind") or raw.get("task_type") or "qa"),
        data={"question": question, "context": context, "answers": answers},
    )


def _answers(raw: Mapping[str, Any]) -> list[str]:
    given = raw.get("answers", raw.get("answer"))
    if isinstance(given, Mapping):
        given = given.get("text")
    if isinstance(given, str):
        return [given]
    return [str(one) for one in given] if isinstance(given, list | tuple) else []


def _text(raw: Mapping[str, Any], name: str) -> str:
    value = raw.get(name)
    if value is None or isinstance(value, str):
        return value or ""
    raise DataError(f"field {name!r} must be text, not {type(value).__name__}")

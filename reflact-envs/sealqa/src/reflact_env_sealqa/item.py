"""From a SealQA record, of any of its configurations, to a task."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from reflact import DataError, Task

from reflact_env_sealqa.cells import listed
from reflact_env_sealqa.documents import to_document


def to_task(raw: Mapping[str, Any], *, docs_field: str) -> Task:
    """Return the task of *raw*: data with `question`, `answers`, `docs`, `urls`, `freshness` and what else is told.

    Without an id of its own an item has one made of the question, the same wherever the item lies. Raises `DataError`
    for a record without question or answer; its message holds neither, as they are not to be passed on.
    """
    question = _text(raw.get("question"))
    task_id = next((text for name in ("question_id", "id") if (text := _text(raw.get(name)))), "")
    task_id = task_id or f"seal-{sha256(question.encode()).hexdigest()[:12]}"
    if not question:
        raise DataError(f"{task_id!r} has no question" if _text(raw.get("id")) else "a record without a question")
    answers = _answers(raw)
    if not answers:
        raise DataError(f"{task_id!r} has no answer (ground_truth, answer or answers)")
    documents = listed(raw.get(docs_field) if raw.get(docs_field) not in (None, "", []) else raw.get("docs"))
    return Task(
        id=task_id,
        kind=_text(raw.get("topic") or raw.get("task_type")) or "sealqa",
        data={
            "question": question,
            "answers": answers,
            "docs": [to_document(one, str(number), task_id).record() for number, one in enumerate(documents, start=1)],
            "urls": [_text(one) for one in listed(raw.get("urls")) if _text(one)],
            "freshness": _text(raw.get("freshness")),
            "question_types": [_text(one) for one in listed(raw.get("question_types"))],
            "effective_year": _text(raw.get("effective_year")),
            "difficulty_label": _text(raw.get("search_results")),
            "canary": _text(raw.get("canary")),
        },
    )


def _answers(raw: Mapping[str, Any]) -> list[str]:
    several = raw.get("answers")
    if isinstance(several, list | tuple):
        return [text for text in map(_text, several) if text]
    found = next((text for name in ("ground_truth", "answer", "answers") if (text := _text(raw.get(name)))), "")
    return [found] if found else []


def _text(value: Any) -> str:
    return "" if value is None else str(value).strip()

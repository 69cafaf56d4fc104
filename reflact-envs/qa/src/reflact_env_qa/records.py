"""From a record of the user's file to a task, whatever its fields are called."""

import json
import re
from collections.abc import Mapping
from hashlib import sha256
from string import ascii_uppercase
from typing import Any, get_args

from reflact import DataError, Task
from reflact.errors import unknown
from reflact.kit.numbers import quantity

from reflact_env_qa.config import FIELDS, QAConfig
from reflact_env_qa.scorers import Scorer


def to_task(raw: Mapping[str, Any], *, config: QAConfig) -> Task:
    """Return the task of *raw*: data with `question`, `context`, `answers`, `choices` by label, and `scorer`.

    A record without id gets one from its question and context. Raises `DataError` for what cannot be asked or judged.
    """
    record = {name: raw.get(config.fields.get(name, name)) for name in FIELDS}
    question, context = _text(record, "question"), _text(record, "context")
    if not question.strip():
        raise DataError(f"no {_called('question', config)}; the record has {', '.join(raw) or 'no fields'}")
    golds = [gold.strip() for gold in (*_texts(record, "answer"), *_texts(record, "answers")) if gold.strip()]
    if not golds:
        raise DataError(f"no {_called('answer', config)} (or answers); every question needs what to expect")
    scorer = _scorer(_text(record, "scorer") or config.scorer)
    choices = _choices(record)
    return Task(
        id=_text(record, "id").strip() or f"q-{sha256((question + context).encode()).hexdigest()[:12]}",
        kind=_text(record, "kind").strip() or "default",
        data={
            "question": question,
            "context": context,
            "answers": _usable(list(dict.fromkeys(golds)), scorer, choices),
            "choices": choices,
            "scorer": scorer,
        },
    )


def _usable(golds: list[str], scorer: Scorer, choices: Mapping[str, str]) -> list[str]:
    if scorer == "choice":
        return [_label(gold, choices) for gold in golds]
    for gold in golds:
        if scorer == "numeric" and quantity(gold) is None:
            raise DataError(f"answer {gold!r} is not a number, which the scorer 'numeric' needs")
        if scorer == "regex":
            try:
                re.compile(gold)
            except re.error as error:
                raise DataError(f"answer {gold!r} is not a regular expression: {error}") from error
    return golds


def _label(gold: str, choices: Mapping[str, str]) -> str:
    if not choices:
        raise DataError("no field 'choices', which the scorer 'choice' needs: a list of options, or label: option")
    if gold in choices:
        return gold
    labels = [label for label, text in choices.items() if text.strip() == gold]
    if len(labels) != 1:
        raise DataError(f"answer {gold!r} is neither a label ({', '.join(choices)}) nor the text of one option")
    return labels[0]


def _choices(record: Mapping[str, Any]) -> dict[str, str]:
    value = record["choices"]
    if isinstance(value, Mapping):
        options = {str(label).strip().upper(): _scalar("choices", text) for label, text in value.items()}
        if len(options) < len(value) or not all(len(label) == 1 and label in ascii_uppercase for label in options):
            raise DataError(f"choices must be labelled with one letter each, all different, not {', '.join(value)}")
        return options
    texts = _texts(record, "choices")
    if len(texts) > len(ascii_uppercase):
        raise DataError(f"{len(texts)} choices; there are letters for {len(ascii_uppercase)}")
    return dict(zip(ascii_uppercase, texts, strict=False))


def _texts(record: Mapping[str, Any], name: str) -> list[str]:
    """Return a list of texts. In a file of text only (CSV), the plural fields hold a JSON list or `one|two`."""
    value = record[name]
    if isinstance(value, str) and name != "answer":
        value = _split(value)
    values = value if isinstance(value, list | tuple) else [] if value is None else [value]
    return [_scalar(name, one) for one in values]


def _split(text: str) -> list[Any]:
    if text.lstrip().startswith("["):
        try:
            found = json.loads(text)
            return found if isinstance(found, list) else [text]
        except ValueError:
            pass
    return text.split("|") if text.strip() else []


def _text(record: Mapping[str, Any], name: str) -> str:
    return "" if record[name] is None else _scalar(name, record[name])


def _scalar(name: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool | int | float):
        return json.dumps(value)
    raise DataError(f"{name} must be text, not {'nothing' if value is None else type(value).__name__}")


def _scorer(name: str) -> Scorer:
    for scorer in get_args(Scorer):
        if scorer == name:
            return scorer  # type: ignore[no-any-return]
    raise DataError(unknown("scorer", name, get_args(Scorer)))


def _called(name: str, config: QAConfig) -> str:
    column = config.fields.get(name)
    return f"field {column!r} (the {name})" if column else f"field {name!r}"

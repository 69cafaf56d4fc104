"""One question in one form, whichever of the forms it is passed around in it comes from."""

import re
from collections.abc import Mapping, Sequence
from string import ascii_uppercase
from typing import Any

from reflact import DataError
from reflact.kit.text import normalize

_STOCK = re.compile(
    r"\b(?:one|some|any|exactly one)\b.*\b(?:other|others|remaining)\b.*\b(?:stronger|sharper|strengthened|more)\b"
)
_REFERS = re.compile(r"\b(?i:options?|choices?|statements?|answers?|both|either|neither)\s+\(?([A-Z])\b(?!')")
_ABOVE = re.compile(r"\b(?:none|all|any|both|neither|each) of the (?:above|others?|other (?:choices|options))\b", re.I)


def normalized(raw: Mapping[str, Any], *, month: str = "", source: str = "") -> dict[str, Any]:
    """Return *raw* as one flat record: id, month, no, question, choices, correct_choice, theorem, sketch, ….

    *month* and *source* stand in where the record has none of its own. What was normalised before stays as it is.
    Raises `DataError` for a record without number, month, question, at least two different choices or a right one.
    """
    inner = raw.get("mcq") if isinstance(raw.get("mcq"), Mapping) else {}
    flat = {**raw, **(inner or {})}
    number, own = _text(flat, "no").strip(), _text(flat, "month").strip() or month
    task_id = _text(flat, "id").strip()
    if not task_id and not number:
        raise DataError("no field 'no', the number of the question within its month")
    if not own and not task_id:
        raise DataError("no month: neither a field 'month', nor six digits in the name of the file or its folder")
    question = _text(flat, "question")
    if not question.strip():
        raise DataError("no question")
    choices = _choices(flat.get("choices"))
    return {
        "id": task_id or f"{own}:{number}",
        "month": own,
        "no": number,
        "paper_link": _text(flat, "paper_link"),
        "theorem": _text(flat, "theorem"),
        "sketch": _text(flat, "sketch"),
        "theorem_type": _types(flat.get("theorem_type")),
        "question": question,
        "choices": [{"label": label, "text": text} for label, text in choices.items()],
        "correct_choice": _correct(flat.get("correct_choice"), choices, flat.get("choices")),
        "source_path": _text(flat, "source_path") or source,
        **{key: flat[key] for key in ("fixed_order",) if key in flat},
    }


def is_meta(text: str) -> bool:
    """Return whether a choice says that another choice is right, but that something stronger can be shown."""
    return bool(_STOCK.search(normalize(text)))


def refers_to_labels(texts: Sequence[str]) -> bool:
    """Return whether one of the choices *texts* speaks of others by label or place, so that none may move."""
    labels = ascii_uppercase[: len(texts)]
    return any(_ABOVE.search(text) or any(found[1] in labels for found in _REFERS.finditer(text)) for text in texts)


def _choices(given: Any) -> dict[str, str]:
    """Return text by letter; letters of the record's own are kept where all are different, else made in order."""
    if isinstance(given, Mapping):
        pairs = [(str(label), _said(text)) for label, text in given.items()]
    elif isinstance(given, list | tuple):
        pairs = [(str(one.get("label", "")) if isinstance(one, Mapping) else "", _said(one)) for one in given]
    else:
        raise DataError("no choices: a list of texts, a list of {label, text}, or label: text")
    if not 2 <= len(pairs) <= len(ascii_uppercase):
        raise DataError(f"{len(pairs)} choices; there must be 2 to {len(ascii_uppercase)}")
    labels = [label.strip().upper() for label, _ in pairs]
    if len(set(labels)) < len(labels) or not all(len(label) == 1 and label in ascii_uppercase for label in labels):
        labels = list(ascii_uppercase[: len(pairs)])
    texts = [text for _, text in pairs]
    seen: dict[str, str] = {}
    for label, text in zip(labels, texts, strict=True):
        if not text.strip():
            raise DataError(f"choice {label} is empty")
        first = seen.setdefault(" ".join(text.split()).casefold(), label)
        if first != label:
            raise DataError(f"choices {first} and {label} say the same, so that an answer could mean either")
    return dict(zip(labels, texts, strict=True))


def _correct(given: Any, choices: Mapping[str, str], raw: Any) -> dict[str, str]:
    """Return label and text of the right choice, which is named by label, by text, or by both."""
    label = _text(given, "label").strip() if isinstance(given, Mapping) else str(given if given is not None else "")
    text = _said(given) if isinstance(given, Mapping) else ""
    by_text = [one for one, said in choices.items() if said.strip() == (text or label).strip()]
    by_label = [label.strip().upper()] if label.strip().upper() in choices else []
    if isinstance(raw, Mapping) and label in raw:
        by_label = [list(choices)[list(map(str, raw)).index(label)]]
    found = by_label or by_text
    if len(found) != 1:
        raise DataError(f"correct_choice {given!r} is neither a label ({', '.join(choices)}) nor the text of a choice")
    if text.strip() and choices[found[0]].strip() != text.strip():
        raise DataError(f"correct_choice says {found[0]} and {text.strip()!r}, which is not the text of {found[0]}")
    return {"label": found[0], "text": choices[found[0]]}


def _said(one: Any) -> str:
    text = one.get("text", one.get("content", "")) if isinstance(one, Mapping) else one
    if not isinstance(text, str | int | float):
        raise DataError(f"a choice must be a text, not {type(text).__name__}")
    return str(text)


def _types(given: Any) -> list[str]:
    values = given if isinstance(given, list | tuple) else [given]
    return [str(one).strip() for one in values if one is not None and str(one).strip()]


def _text(record: Mapping[str, Any], name: str) -> str:
    value = record.get(name)
    if value is None or isinstance(value, str | int):
        return "" if value is None else str(value)
    raise DataError(f"field {name!r} must be text, not {type(value).__name__}")

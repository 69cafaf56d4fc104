"""The options of a choice by letter, and which of them is right."""

import string
from collections.abc import Mapping, Sequence
from typing import Any

from reflact import DataError

_LABELS = string.ascii_uppercase
_TEXTS = ("text", "content", "option")


def options_of(value: Any) -> dict[str, str]:
    """Return the options in *value* by label: a list of texts or of `{text, label}`, or a mapping from label to text.

    The n-th option of a list without labels has the n-th letter, blank options included, so that an index means what
    the data set means by it. Raises `DataError` for more than 26 options, for a label that is no letter, and for one
    that stands twice.
    """
    if value is None:
        return {}
    if not isinstance(value, Mapping | list | tuple):
        raise DataError(f"options must be a list or a mapping, not {type(value).__name__}")
    if len(value) > len(_LABELS):
        raise DataError(f"{len(value)} options; there are letters for {len(_LABELS)}")
    if isinstance(value, Mapping):
        pairs = [(_letter(label), _text(text)) for label, text in value.items()]
    else:
        pairs = [_pair(one, place) for place, one in enumerate(value)]
    odd = [label for label, _ in pairs if not (len(label) == 1 and label in _LABELS)]
    if odd:
        raise DataError(f"label {odd[0]!r} of an option is no letter from A to Z")
    options = dict(pairs)
    if len(options) < len(pairs):
        raise DataError(f"labels of options stand twice: {', '.join(label for label, _ in pairs)}")
    return options


def correct_label(value: Any, options: Mapping[str, str]) -> str:
    """Return the label that *value* means: the index of an option from 0, as a number or as digits; else a label.

    A mapping `{label, text}` means its label. Raises `DataError` when there is no such option, or it has no text.
    """
    if isinstance(value, Mapping):
        value = value.get("label")
    label = _by_index(value, list(options)) or (_letter(value) if isinstance(value, str) else "")
    if label not in options:
        raise DataError(f"choiceAns {value!r} is neither an index from 0 nor a label of {len(options)} options")
    if not options[label]:
        raise DataError(f"choiceAns {value!r} is option {label}, which has no text")
    return label


def _by_index(value: Any, labels: Sequence[str]) -> str:
    text = str(value).strip().removesuffix(".0")
    if isinstance(value, bool) or not (text.isascii() and text.isdigit()) or int(text) >= len(labels):
        return ""
    return labels[int(text)]


def _pair(one: Any, place: int) -> tuple[str, str]:
    if not isinstance(one, Mapping):
        return _LABELS[place], _text(one)
    text = next((one[name] for name in _TEXTS if one.get(name) is not None), None)
    return _letter(one.get("label") or _LABELS[place]), _text(text)


def _letter(label: Any) -> str:
    return str(label).strip().strip("().:").upper()


def _text(value: Any) -> str:
    return "" if value is None else str(value).strip()

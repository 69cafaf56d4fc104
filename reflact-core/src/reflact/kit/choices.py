"""Which option of a multiple choice an answer means."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from reflact.kit.answers import Answer
from reflact.kit.text import normalize

_WRAPPED = re.compile(r"\\(?:boxed|text|mathrm|textbf)\{([^{}]*)\}")
_LABEL_WORDS = re.compile(r"\b(the|correct|final|best|option|choice|answer|label|is)\b|:", re.IGNORECASE)
_NO_ARTICLE = frozenset({"or", "and", "is", "was", "because", "since", "but", "holds"})


class Choice(NamedTuple):
    """The label chosen, empty when none could be read, and the rule that read it."""

    label: str
    rule: str


def read_choice(answer: Answer, options: Mapping[str, str]) -> Choice:
    """Return which of *options*, text by one-letter label, *answer* means.

    Tried in order: a bare label, a label among words such as "the answer is", an option's text, a label followed by its
    option's text, and, inside an answer tag or box only, the only label that is mentioned.
    """
    labels = {label.upper(): label for label in options}
    bare = _bare(answer.text)
    for rule, found in (
        ("label", labels.get(bare.upper(), "")),
        ("label words", _among_label_words(bare, labels)),
        ("option text", _by_text(answer.text, options)),
        ("label and text", _label_and_text(bare, labels, options)),
        ("only label", _only_label(bare, labels) if answer.how in ("tag", "box", "unclosed") else ""),
    ):
        if found:
            return Choice(found, rule)
    return Choice("", "unparsed")


def _bare(text: str) -> str:
    for _ in range(2):
        text = _WRAPPED.sub(r"\1", text)
    text = re.sub(r"[*_$`]", "", text).strip()
    return text.strip(" \t\n()[]{}\"'“”‘’.:,;!")


def _among_label_words(text: str, labels: Mapping[str, str]) -> str:
    rest = _LABEL_WORDS.sub(" ", text).split()
    return labels.get(rest[0].strip("()[].").upper(), "") if len(rest) == 1 else ""


def _by_text(text: str, options: Mapping[str, str]) -> str:
    said = _plain(text)
    same = [label for label, option in options.items() if said and _plain(option) == said]
    return same[0] if len(same) == 1 else ""


def _label_and_text(text: str, labels: Mapping[str, str], options: Mapping[str, str]) -> str:
    match = re.match(r"\(?([A-Za-z])[).:,\-–—\]]\s*(.+)", text, re.DOTALL)
    label = labels.get(match[1].upper(), "") if match else ""
    if not match or not label:
        return ""
    said, option = _plain(match[2]), _plain(options[label])
    return label if said and option and (option.startswith(said) or said.startswith(option)) else ""


def _only_label(text: str, labels: Mapping[str, str]) -> str:
    found = set()
    for match in re.finditer(r"(?<![\w'’])([A-Z])(?![\w'’])(?=(?:\s+([a-z]+))?)", text):
        is_article = match[1] == "A" and match[2] and match[2] not in _NO_ARTICLE
        if match[1] in labels and not is_article:
            found.add(labels[match[1]])
    return found.pop() if len(found) == 1 else ""


def _plain(text: str) -> str:
    return normalize(text) or text.strip().lower()

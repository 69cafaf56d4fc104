"""The options of a problem, taken out of its text, and the labels an answer means."""

import re
import unicodedata
from collections.abc import Mapping
from typing import NamedTuple

from reflact.kit.answers import Answer
from reflact.kit.choices import read_choice

from reflact_env_mathverse.latex import plain

_BLOCK = re.compile(r"(?:^|\n)[ \t]*Choices?[ \t]*:[ \t]*(?:\n|$)", re.IGNORECASE)
_OPTION = re.compile(r"^[ \t]*\(?([A-H])[ \t]*[.:)][ \t]*(.*)$")
_BETWEEN = re.compile(r"\band\b|[\s,;&/]+")
_NOT = re.compile(r"[\s,;(]+(?:and\s+)?not\b.*", re.IGNORECASE | re.DOTALL)
_LABELLED = re.compile(r"\(?([A-H])\s*[.:)]\s*(\S.*)", re.DOTALL)
_ANY = dict.fromkeys("ABCDEFGH", "")


class Asked(NamedTuple):
    """A question without its options, and these by label; none where the text has none that can be told apart."""

    stem: str
    options: Mapping[str, str]


def taken_apart(question: str) -> Asked:
    """Return *question* without its block of options.

    A block begins with a line `Choices:` or `Choice:`, and a line in it with the next label in turn, from A on. One
    with other labels, or with none, stays part of the question. A line without a label belongs to the option before.
    """
    found = list(_BLOCK.finditer(question))
    if not found:
        return Asked(question.strip(), {})
    options: dict[str, str] = {}
    for line in question[found[-1].end() :].strip("\n").split("\n"):
        option = _OPTION.match(line)
        due = chr(ord("A") + len(options))
        if option and option[1] == due:
            options[due] = option[2].strip()
        elif not options or option:
            return Asked(question.strip(), {})
        else:
            options[list(options)[-1]] = f"{options[list(options)[-1]]}\n{line.strip()}".strip()
    if len(options) < 2:
        return Asked(question.strip(), {})
    return Asked(question[: found[-1].start()].strip(), options)


def gold_labels(gold: str, options: Mapping[str, str]) -> tuple[str, ...]:
    """Return the labels the expected answer *gold* means: `(B)` is B, `C\\nD` both, an option's own text its label."""
    return labels_in(Answer(gold, "tag"), options)


def labels_in(answer: Answer, options: Mapping[str, str]) -> tuple[str, ...]:
    """Return the labels that *answer* gives, sorted; none where it is anything else than labels or one option's text.

    Labels are never picked out of a sentence. Without *options* any letter from A to H is a label.
    """
    known = dict.fromkeys(options, "") or _ANY
    said = _NOT.sub("", unicodedata.normalize("NFKC", answer.text)).strip()
    choice = read_choice(Answer(said, answer.how), known)
    if choice.rule in ("label", "label words"):
        return (choice.label,)
    if by_text := _by_text(answer.text.strip(), options):
        return (by_text,)
    several = [part.strip("()[]{}.:*$").upper() for part in _BETWEEN.split(said)]
    named = {part for part in several if part}
    return tuple(sorted(named)) if len(named) > 1 and named <= known.keys() else ()


def _by_text(said: str, options: Mapping[str, str]) -> str:
    texts = {label: plain(text) for label, text in options.items() if text}
    same = [label for label, text in texts.items() if text == plain(said)]
    if len(same) == 1:
        return same[0]
    labelled = _LABELLED.fullmatch(said.strip("*$ "))
    return labelled[1] if labelled and texts.get(labelled[1]) == plain(labelled[2]) else ""

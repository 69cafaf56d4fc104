"""Comparing short answers: labels of options, orders of labels, numbers, words."""

import re
import unicodedata
from collections.abc import Mapping
from decimal import Decimal

from reflact.kit.answers import Answer
from reflact.kit.choices import read_choice

_ANY = dict.fromkeys("ABCDEFGHIJ", "")
_BETWEEN = re.compile(r"\b(?:and|then)\b|->|[\s,;:&/>→|-]+", re.IGNORECASE)
_LABELLED = re.compile(r"\(?([A-Z])\s*[).:]\s*(\S.*)", re.DOTALL)
_NUMBER = re.compile(r"[-+]?(?:(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+)")
_NEGATIONS = re.compile(r"\b(?:no|not|never|neither|nor|without|cannot|\w*n t)\b")
"""As they stand in a plain text, where `isn't` is `isn t`."""
_INNER = frozenset("-+.,:/%")
LONGEST = 12
"""The most words of an answer in which the expected one is looked for."""
SHORTEST = 3


def gold_labels(gold: str, options: Mapping[str, str]) -> tuple[str, ...]:
    """Return the labels, in order, that the expected answer *gold* means: `(B)`, `C, A, B`, `CAB`, an option's text."""
    return labels_in(Answer(gold, "tag"), options, count=0)


def labels_in(answer: Answer, options: Mapping[str, str], *, count: int) -> tuple[str, ...]:
    """Return the labels in *answer*, in its order; none where it is anything else than labels or one option's text.

    Labels may be written together (`CAB`) where *count* of them are wanted; a count of 0 takes any number. Labels are
    never picked out of a sentence. Without *options* any letter from A to J is a label.
    """
    known = dict.fromkeys(options, "") or _ANY
    answer = Answer(unicodedata.normalize("NFKC", answer.text).strip(), answer.how)
    choice = read_choice(answer, known)
    if choice.rule in ("label", "label words"):
        return (choice.label,)
    if by_text := _by_text(answer.text, options):
        return (by_text,)
    parts = [part.strip("()[]{}.*").upper() for part in _BETWEEN.split(answer.text)]
    named = [part for part in parts if part]
    if len(named) == 1 and answer.text.strip("()[].* ").isupper() and len(named[0]) > 1:
        named = list(named[0]) if len(named[0]) == (count or len(named[0])) else []
    return tuple(named) if len(named) > 1 and known.keys() >= set(named) else ()


def plain(text: str) -> str:
    """Return *text* in lower case (NFKC, case folded) with single spaces, and punctuation only where it matters.

    Of `- + . , : / %` those between letters or digits stay, a sign or a point before a digit, and `%` after one: `-3`,
    `1.5` and `10:30` are not `3`, `15` and `1030`.
    """
    folded = unicodedata.normalize("NFKC", text).replace("\N{MINUS SIGN}", "-").casefold()
    kept = [char if _stays(folded, place) else " " for place, char in enumerate(folded)]
    return " ".join("".join(kept).split())


def number(text: str) -> Decimal | None:
    """Return the number that *text* is; None when it is anything else."""
    bare = plain(text)
    return Decimal(bare.replace(",", "")) if _NUMBER.fullmatch(bare) else None


def holds(said: str, meant: str) -> bool:
    """Return whether the short answer *said* holds *meant* as whole words, with no negation before it."""
    words, wanted = plain(said).split(), plain(meant).split()
    if len(words) > LONGEST or len(plain(meant)) < SHORTEST:
        return False
    starts = range(len(words) - len(wanted) + 1)
    at = next((start for start in starts if words[start : start + len(wanted)] == wanted), None)
    return at is not None and not _NEGATIONS.search(" ".join(words[:at]))


def _by_text(said: str, options: Mapping[str, str]) -> str:
    texts = {label: plain(text) for label, text in options.items() if plain(text)}
    same = [label for label, text in texts.items() if text == plain(said)]
    if len(same) == 1:
        return same[0]
    labelled = _LABELLED.fullmatch(said.strip("*$ "))
    return labelled[1] if labelled and texts.get(labelled[1]) == plain(labelled[2]) else ""


def _stays(text: str, place: int) -> bool:
    char = text[place]
    before, after = text[place - 1 : place], text[place + 1 : place + 2]
    if char.isalnum() or char.isspace() or unicodedata.category(char).startswith("M"):
        return True
    if char not in _INNER:
        return False
    between = before.isalnum() and after.isalnum()
    return between or (char in "-+." and after.isdigit()) or (char == "%" and before.isdigit())

"""How an answer is judged: pure functions from an answer and what was expected to a grade."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Literal

from reflact.kit.answers import Answer, extract_answer, without_reasoning
from reflact.kit.choices import read_choice
from reflact.kit.numbers import quantity, same_number
from reflact.kit.qa import Grade
from reflact.kit.text import contains, exact_match, f1, shorten
from reflact.kit.text import normalize as plain

Scorer = Literal["exact", "choice", "f1", "regex", "numeric"]
_SHOWN = 400


def read_answer(reply: str, *, tagged: bool) -> Answer:
    """Return the answer in *reply*: what the last tag holds if *tagged*, else all of it without its reasoning."""
    if tagged:
        return extract_answer(reply, fallback=False)
    return Answer(without_reasoning(reply), "fallback")


def judge(
    answer: Answer,
    golds: Sequence[str],
    *,
    scorer: Scorer,
    choices: Mapping[str, str],
    normalize: bool = False,
    tolerance: float = 0.0,
) -> Grade:
    """Return the grade of *answer*: 1 when it fits one of *golds*. Only `f1` gives partial credit.

    `exact`: the same text (Unicode-normalised, stripped), or the SQuAD match if *normalize*. `choice`: means the same
    of *choices*. `f1`: SQuAD match and SQuAD F1. `regex`: a gold's pattern matches all of it. `numeric`: `same_number`.
    """
    if answer.how == "none":
        return Grade(hard=0.0, soft=0.0, feedback=f"expected {_listed(golds)}, but the reply has no <answer> tag")
    match scorer:
        case "choice":
            return _choice(answer, golds, choices)
        case "f1":
            right, partial = exact_match(answer.text, golds), f1(answer.text, golds)
            return _grade(right, answer.text, f"expected {_listed(golds)}", f"token F1 {partial:.2f}", soft=partial)
        case "regex":
            right = any(re.fullmatch(gold, answer.text) for gold in golds)
            return _grade(right, answer.text, f"the whole answer must match {_listed(golds)}")
        case "numeric":
            right = any(same_number(answer.text, gold, tolerance=tolerance) for gold in golds)
            margin = f" with a tolerance of {tolerance:g}" if tolerance else ""
            note = "" if quantity(answer.text) else "this is not a number alone"
            return _grade(right, answer.text, f"expected the number {_listed(golds)}{margin}", note)
    right = exact_match(answer.text, golds) if normalize else _form(answer.text) in {_form(gold) for gold in golds}
    return _grade(right, answer.text, f"expected exactly {_listed(golds)}", _near_miss(answer.text, golds))


def _choice(answer: Answer, golds: Sequence[str], choices: Mapping[str, str]) -> Grade:
    if answer.how == "fallback":
        answer = Answer(answer.text.rpartition("\n")[2].strip(), "fallback")
    label, _ = read_choice(answer, choices)
    expected = " or ".join(f"{gold} ({choices[gold]})" for gold in golds)
    return _grade(
        label in golds, answer.text, f"expected {expected}", f"read as {label}" if label else "no option read"
    )


def _grade(right: bool, answer: str, expected: str, note: str = "", *, soft: float | None = None) -> Grade:
    got = repr(shorten(answer, _SHOWN)) if answer else "nothing"
    feedback = "" if right else f"{expected}, got {got}" + (f": {note}" if note else "")
    hard = float(right)
    return Grade(hard=hard, soft=hard if soft is None else soft, answer=answer, feedback=feedback)


def _near_miss(answer: str, golds: Sequence[str]) -> str:
    if not answer:
        return ""
    if plain(answer) in map(plain, golds):
        return "the same but for case, punctuation or articles"
    return "it holds the expected answer, but not alone" if contains(answer, golds) else ""


def _form(text: str) -> str:
    return unicodedata.normalize("NFC", text.strip())


def _listed(golds: Sequence[str]) -> str:
    return " or ".join(repr(shorten(gold, _SHOWN)) for gold in golds)

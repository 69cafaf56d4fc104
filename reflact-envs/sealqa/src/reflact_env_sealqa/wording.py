"""Whether an answer says a reference answer in its own words: a rule that needs no judge, and knows no meaning."""

from collections.abc import Sequence

from reflact.kit.judge import Verdict
from reflact.kit.text import contains, exact_match, normalize
from reflact.kit.verdicts import THREE_GRADES

MOST_TIMES = 3
"""How many times as many words as a reference answer an answer that holds it may have."""
_NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
_FIGURES = {word: str(number) for number, word in enumerate(_NUMBERS)}


def says(answer: str, golds: Sequence[str]) -> bool:
    """Return whether *answer* equals a gold, or holds its words in a row and has at most three times as many.

    Words are compared after SQuAD's normalisation (Rajpurkar et al. 2016); zero to twenty equal their figures.
    """
    said = _figured(answer)
    return any(exact_match(answer, [gold]) or _holds(said, _figured(gold)) for gold in golds)


def by_wording(answer: str, golds: Sequence[str]) -> Verdict:
    """Return the verdict on *answer* by its wording alone; a blank one is `not_attempted`."""
    if not answer.strip():
        return Verdict(grade=THREE_GRADES.empty, reason="no answer")
    grade, reason = ("correct", "the same words") if says(answer, golds) else ("incorrect", "other words")
    return Verdict(grade=grade, reason=reason)


def _figured(text: str) -> str:
    return " ".join(_FIGURES.get(word, word) for word in normalize(text).split())


def _holds(said: str, meant: str) -> bool:
    return contains(said, [meant]) and len(said.split()) <= MOST_TIMES * len(meant.split())

"""Comparing texts: normalisation, exact match, token F1, containment.

Source: Rajpurkar et al., "SQuAD: 100,000+ Questions for Machine Comprehension of Text" (2016), evaluation of v1.1.
"""

import re
import string
from collections import Counter
from collections.abc import Iterable

_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalize(text: str) -> str:
    """Return *text* in lower case without ASCII punctuation, without a/an/the, with single spaces, in this order."""
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", text.lower().translate(_PUNCTUATION)).split())


def exact_match(answer: str, golds: Iterable[str]) -> bool:
    """Return whether *answer* equals a gold after normalisation (SQuAD EM, the best over *golds*).

    Unlike SQuAD's own, two texts of which nothing is left ("..." and "The") match only if they were equal before.
    """
    said = normalize(answer)
    return any(
        normalize(gold) == said and (bool(said) or gold.strip().lower() == answer.strip().lower()) for gold in golds
    )


def f1(answer: str, golds: Iterable[str]) -> float:
    """Return the token F1 of *answer*, 0..1: harmonic mean of precision and recall over normalised tokens, counted.

    The best over *golds* (SQuAD F1); where no token is left on either side it is the exact match.
    """
    return max((_f1(answer, gold) for gold in golds), default=0.0)


def _f1(answer: str, gold: str) -> float:
    said, meant = normalize(answer).split(), normalize(gold).split()
    if not said or not meant:
        return float(exact_match(answer, [gold]))
    shared = (Counter(said) & Counter(meant)).total()
    return 2 * shared / (len(said) + len(meant))


def contains(text: str, golds: Iterable[str]) -> bool:
    """Return whether the normalised tokens of a gold stand in those of *text*, in a row; never for an empty gold."""
    tokens = f" {normalize(text)} "
    return any(f" {gold} " in tokens for gold in map(normalize, golds) if gold)


def shorten(text: str, limit: int) -> str:
    """Return *text*, or its first *limit* characters and how many were left out."""
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text) - limit} more characters)"

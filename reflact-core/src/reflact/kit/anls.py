"""Comparing short texts that were read off a page: average normalised Levenshtein similarity (ANLS)."""

from collections.abc import Iterable
from typing import Literal

Variant = Literal["rrc", "paper"]
_HALF = 0.5


def anls(answer: str, golds: Iterable[str], *, variant: Variant = "rrc") -> float:
    """Return the ANLS of *answer*, 0..1: 1 less the edit distance over the length of the longer text, the best gold.

    Case and runs of white space do not count, in the distance and in the length alike. A similarity below one half is
    0; of exactly one half it is kept by `rrc`, as the script of the DocVQA competition does, and 0 in `paper`, as the
    article defines it. Two empty texts are alike (1), and without a gold the score is 0.

    Source: Biten et al., "Scene Text Visual Question Answering" (ICCV 2019, arXiv 1905.13648), equation 1; the
    evaluation script of the Robust Reading Competition, challenge 17. That script divides by the length of the texts
    as they were before white space was folded; here both parts see the same texts.
    """
    said = _plain(answer)
    return max((_similarity(said, _plain(gold), variant) for gold in golds), default=0.0)


def distance(one: str, other: str) -> int:
    """Return the Levenshtein distance: the fewest characters put in, taken out or replaced to make *one* *other*."""
    short, long = sorted((one, other), key=len)
    row = list(range(len(short) + 1))
    for number, char in enumerate(long, start=1):
        diagonal, row[0] = row[0], number
        for place, own in enumerate(short, start=1):
            diagonal, row[place] = row[place], min(diagonal + (own != char), row[place] + 1, row[place - 1] + 1)
    return row[-1]


def _similarity(said: str, meant: str, variant: Variant) -> float:
    short, long = sorted((len(said), len(meant)))
    if not long:
        return 1.0
    if short < long - short:
        return 0.0
    similarity = 1 - distance(said, meant) / long
    kept = similarity >= _HALF if variant == "rrc" else similarity > _HALF
    return similarity if kept else 0.0


def _plain(text: str) -> str:
    return " ".join(text.lower().split())

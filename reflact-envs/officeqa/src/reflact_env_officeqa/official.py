"""The official OfficeQA score of an answer: a direct answer with the right numbers, units and words."""

import re
from decimal import Decimal

from reflact_env_officeqa.amounts import Amount, amounts, segments, words

LONGEST = 250
_MARKUP = re.compile(r"<[^<>]+>")
_UNDETERMINED = "unable to determine"


def is_right(gold: str, answer: str, tolerance: float = 0.0) -> bool:
    """Return whether *answer* says *gold*, its numbers off by at most the share *tolerance* of the right ones.

    Source: `score_answer` in reward.py of the OfficeQA repository (Databricks; arXiv 2603.08655), made anew from a
    description. Numbers count as written: 5 million is not 5,000,000, and a unit on one side only is left aside.
    """
    said = answer.strip()
    if not said or len(said.splitlines()) > 1 or len(said) > LONGEST or _UNDETERMINED in said.lower():
        return False
    meant = _numbers(gold)
    if not meant:
        return not amounts(said) and _folded(said) == _folded(gold)
    if _MARKUP.search(said):
        return False
    found = _found(gold, said, meant)
    return len(found) == len(meant) and _agree(found, meant, gold, Decimal(str(tolerance))) and _words_agree(gold, said)


def _numbers(gold: str) -> list[Amount]:
    found = amounts(gold)
    return segments(gold) or found if _is_list(gold) and len(found) < 2 else found


def _found(gold: str, said: str, meant: list[Amount]) -> list[Amount]:
    """Return the numbers of the answer: without years, unless gold has a year or words of its own."""
    found = amounts(said)
    if not (words(gold) or any(one.is_year for one in meant)):
        found = [one for one in found if not one.is_year]
    return segments(said) if _is_list(gold) and len(found) != len(meant) else found


def _agree(found: list[Amount], meant: list[Amount], gold: str, tolerance: Decimal) -> bool:
    if _is_list(gold):
        return all(one.agrees(other, tolerance) for one, other in zip(found, meant, strict=True))
    return all(any(one.agrees(other, tolerance) for one in found) for other in meant)


def _words_agree(gold: str, said: str) -> bool:
    due, given = " ".join(words(gold)), " ".join(words(said))
    return not due or (bool(given) and (due in given or given in due))


def _is_list(gold: str) -> bool:
    return gold.strip().startswith("[") and gold.strip().endswith("]")


def _folded(text: str) -> str:
    return " ".join(re.sub(r"\([^()]*\)", " ", text.lower()).replace('"', "").replace("'", "").split())

"""The exact match older OfficeQA figures were made with. It drops units: 5 million equals 5 billion."""

import string
from collections import Counter
from collections.abc import Sequence

_DROPPED = str.maketrans("", "", "".join(one for one in string.punctuation if one not in ".-%"))
_UNITS = frozenset(("million", "millions", "billion", "billions", "dollar", "dollars", "nominal"))


def is_right(gold: str, answer: str) -> bool:
    """Return whether *answer* equals *gold* in lower case, without punctuation (but `.`, `-`, `%`) and units."""
    said = _tokens(answer)
    return bool(said) and said == _tokens(gold)


def token_f1(answer: str, golds: Sequence[str]) -> float:
    """Return the F1, 0..1, of the tokens that `is_right` compares; the best over *golds*."""
    return max((_f1(_tokens(answer), _tokens(gold)) for gold in golds), default=0.0)


def _tokens(text: str) -> list[str]:
    return [one for one in text.lower().translate(_DROPPED).split() if one not in _UNITS]


def _f1(said: list[str], meant: list[str]) -> float:
    shared = (Counter(said) & Counter(meant)).total()
    return 2 * shared / (len(said) + len(meant)) if shared else 0.0

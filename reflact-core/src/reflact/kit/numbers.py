"""Comparing numbers as people write them: separators, currency signs, scale words and units."""

import math
import re
from dataclasses import dataclass

_SCALES = {"thousand": 3, "million": 6, "mn": 6, "billion": 9, "bn": 9, "trillion": 12, "tn": 12}
_MONEY_SCALES = {"k": 3, "m": 6, "b": 9, "t": 12}
_ALIASES = {
    "dollar": "$",
    "dollars": "$",
    "usd": "$",
    "euro": "€",
    "euros": "€",
    "eur": "€",
    "gbp": "£",
    "yen": "¥",
    "percent": "%",
}
_UNIT = re.compile(r"[^\d.,;:!?()\[\]{}<>=\"]*")
_LONGEST = 200
_NUMBER = re.compile(
    r"""(?P<sign>[-+])?\s*(?P<currency>[$€£¥])?\s*(?P<inner>[-+])?
        (?P<digits>(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d*)?|\.\d+)(?P<exponent>[eE][-+]?\d+)?
        \s*(?P<rest>[^\d\s].*)?""",
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number and the unit written after it, in lower case (empty where there was none)."""

    value: float
    unit: str = ""


def quantity(text: str) -> Quantity | None:
    """Return the quantity that *text* is, None when it is anything else.

    Knows thousands commas, exponents, `$`, `€`, `£` and `¥`, accountants' `(12)` for -12, thousand to trillion, and
    takes what follows for the unit: at most three words, without digits or punctuation.
    """
    text = text.strip().replace("\N{MINUS SIGN}", "-")
    if len(text) > _LONGEST:
        return None
    if text.startswith("(") and text.endswith(")"):
        inner = quantity(text[1:-1])
        return inner and Quantity(-inner.value, inner.unit)
    match = _NUMBER.fullmatch(text)
    if not match or (match["sign"] and match["inner"]):
        return None
    power, unit = _scale((match["rest"] or "").strip(), is_money=bool(match["currency"]))
    unit = _ALIASES.get(unit, unit) or match["currency"] or ""
    if not _UNIT.fullmatch(unit) or len(unit.split()) > 3:
        return None
    number = float(match["digits"].replace(",", "") + (match["exponent"] or ""))
    negative = "-" in (match["sign"], match["inner"])
    return Quantity(math.copysign(number * 10**power, -1.0 if negative else 1.0), unit)


def same_number(answer: str, gold: str, *, tolerance: float = 0.0) -> bool:
    """Return whether *answer* and *gold* are numbers that differ by at most *tolerance* (absolute, in gold's unit).

    A unit on one side only is left aside; two different units never agree. Without a tolerance, numbers must be equal
    up to the rounding of a float (one part in 10^9).
    """
    said, meant = quantity(answer), quantity(gold)
    if said is None or meant is None or (said.unit and meant.unit and said.unit != meant.unit):
        return False
    return math.isclose(said.value, meant.value, rel_tol=1e-9, abs_tol=tolerance)


def _scale(rest: str, *, is_money: bool) -> tuple[int, str]:
    word, _, unit = rest.rstrip(".").partition(" ")
    word = word.lower()
    power = _SCALES.get(word) or (_MONEY_SCALES.get(word) if is_money else None)
    return (power, unit.strip().lower()) if power else (0, rest.rstrip(".").lower())

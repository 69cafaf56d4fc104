"""Numbers in an answer with the unit words around them, and the words that are left: as OfficeQA reads them."""

import re
from dataclasses import dataclass
from decimal import Decimal

AROUND = 20
FIRST_YEAR, LAST_YEAR = 1900, 2100
_UNITS = {
    "trillion": re.compile(r"\btrillions?\b"),
    "billion": re.compile(r"\bbillions?\b|\bb\b"),
    "million": re.compile(r"\bmillions?\b|\bm\b"),
    "thousand": re.compile(r"\bthousands?\b|\bk\b"),
}
_SIGNS = str.maketrans({"\N{MINUS SIGN}": "-", **dict.fromkeys("$£€¥₹¢₩₽")})
_BARE = r"(?:\d{1,3}(?:,\d{3})+(?![\d])|\d+)(?:\.\d+)?|\.\d+"
_NUMBER = re.compile(rf"\(\s*(?P<negative>{_BARE})\s*%?\s*\)|(?P<sign>(?<![\w.)])-\s?)?(?P<plain>{_BARE})")
_WORD = re.compile(r"[^\W\d_]{2,}")


@dataclass(frozen=True, slots=True)
class Amount:
    """A number and the unit word within 20 characters of it, which does not multiply it; empty where there is none."""

    value: Decimal
    unit: str = ""

    @property
    def is_year(self) -> bool:
        """Whether it is an integer from 1900 to 2100."""
        return self.value == int(self.value) and FIRST_YEAR <= self.value <= LAST_YEAR

    def agrees(self, gold: "Amount", tolerance: Decimal) -> bool:
        """Return whether it is off by at most the share *tolerance* of *gold*; two different units never agree."""
        if self.unit and gold.unit and self.unit != gold.unit:
            return False
        return abs(self.value - gold.value) <= tolerance * abs(gold.value)


def amounts(text: str) -> list[Amount]:
    """Return the numbers in *text*: without currency signs and thousands commas, accountants' (35.2) as -35.2."""
    plain = text.translate(_SIGNS).lower()
    return [Amount(_value(found), _unit(plain, found)) for found in _NUMBER.finditer(plain)]


def segments(text: str) -> list[Amount]:
    """Return the numbers of a list, one between any two commas; nothing when that is not how it is written."""
    parts = [amounts(part) for part in re.split(r"[,;]", text.strip().strip("[]()"))]
    return [part[0] for part in parts] if all(len(part) == 1 for part in parts) else []


def words(text: str) -> list[str]:
    """Return the words in *text* that are neither numbers nor units, of two letters or more, in lower case."""
    rest = _NUMBER.sub(" ", text.translate(_SIGNS).lower())
    for unit in _UNITS.values():
        rest = unit.sub(" ", rest)
    return _WORD.findall(rest)


def _value(found: re.Match[str]) -> Decimal:
    if found["plain"]:
        value = Decimal(found["plain"].replace(",", ""))
        return -value if found["sign"] else value
    value = Decimal(found["negative"].replace(",", ""))
    return value if Amount(value).is_year else -value


def _unit(text: str, found: re.Match[str]) -> str:
    context = f"{text[max(found.start() - AROUND, 0) : found.start()]} {text[found.end() : found.end() + AROUND]}"
    return next((name for name, pattern in _UNITS.items() if pattern.search(context)), "")

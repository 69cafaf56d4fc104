"""Comparing short mathematical texts as they are written, without working anything out."""

import re
import unicodedata
from decimal import Decimal

_WRAPPED = re.compile(r"\\(?:text|mathrm|mathbf|mathit|textbf|textrm|operatorname|mbox)\s*\{([^{}]*)\}")
_REWRITTEN = (
    (re.compile(r"\\\[|\\\]|\\\(|\\\)|\$"), ""),
    (re.compile(r"\\(?:left|right|displaystyle|big|Big)(?![A-Za-z])"), ""),
    (re.compile(r"\\(?:quad|qquad)(?![A-Za-z])|\\[,;:! ]|~"), " "),
    (re.compile(r"\\[dtc]frac(?![A-Za-z])"), r"\\frac"),
    (re.compile(r"\\frac\s*(\d)\s*(\d)"), r"\\frac{\1}{\2}"),
    (re.compile(r"\s*(?:\^\s*\{\s*\\circ\s*\}|\^\s*\\circ(?![A-Za-z])|\bdegrees?\b|[°º掳])\s*", re.IGNORECASE), "°"),
    (re.compile(r"\\leq?(?![A-Za-z])|≤"), "<="),
    (re.compile(r"\\geq?(?![A-Za-z])|≥"), ">="),
    (re.compile(r"π"), r"\\pi "),
    (re.compile(r"∞"), r"\\infty "),
    (re.compile(r"∪"), r"\\cup "),
    (re.compile(r"\\%"), "%"),
    (re.compile(r"([_^])\s*\{\s*(\w)\s*\}"), r"\1\2"),
)
_RAISED = str.maketrans({"²": "^2", "³": "^3", "−": "-", "–": "-", "×": r"\times "})
_NUMBER = re.compile(r"[-+]?(?:(?:\d{1,3}(?:,\d{3})+|\d+)\.?\d*|\.\d+)")
_NAMED = re.compile(r"(?P<name>[A-Za-z.]*)=(?P<value>[-+]?\.?\d.*)", re.DOTALL)


def plain(text: str) -> str:
    """Return *text* in one spelling: blanks, dollar signs and wrappers such as `\\text{…}` gone, their content kept.

    Degree signs, fractions, comparison signs and Greek letters have one form. Braces that separate arguments stay, so
    that `\\frac{1}{23}` and `\\frac{12}{3}` differ. A text of nothing but words is in lower case.
    """
    text = unicodedata.normalize("NFKC", text.translate(_RAISED)).replace("掳", "°")
    while (unwrapped := _WRAPPED.sub(r"\1", text)) != text:
        text = unwrapped
    for pattern, replacement in _REWRITTEN:
        text = pattern.sub(replacement, text)
    text = "".join(text.split()).strip("*`\"'").rstrip(".*`\"'")
    return text.casefold() if text.isalpha() else text


def named(text: str) -> tuple[str, str]:
    """Return the name in front of a quantity and its value: `Area $=9 \\pi$` is `area` and `9\\pi`; often no name."""
    found = _NAMED.fullmatch(plain(text))
    return (found["name"].casefold(), found["value"]) if found else ("", plain(text))


def number(text: str) -> Decimal | None:
    """Return the number that *text* is, with nothing but perhaps a name before it; None when it is anything else."""
    _, bare = named(text)
    return Decimal(bare.replace(",", "")) if _NUMBER.fullmatch(bare) else None


def same_text(one: str, other: str) -> bool:
    """Return whether two texts are one in plain spelling. A name before the value of only one does not count."""
    return plain(one) == plain(other) or (alike(one, other) and named(one)[1] == named(other)[1])


def alike(one: str, other: str) -> bool:
    """Return whether the quantities have one name, as far as both have any: `x=0` and `y=0` have not."""
    (first, _), (second, _) = named(one), named(other)
    return first == second or not (first and second)

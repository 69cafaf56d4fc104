"""Find the place an edit means, although its author copied the text a little wrong."""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher

_QUOTES = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "\u00a0": " "})
MIN_ANCHOR = 4
"""An anchor of fewer visible characters must be a whole line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """Where the target lies, or why it has no single place: `not_found`, `ambiguous`, `too_short`."""

    start: int = -1
    end: int = -1
    fault: str = ""
    tolerant: bool = False


def find(text: str, target: str) -> Match:
    """Return the one place of *target* in *text*: exact first, then with white space and quotes normalised.

    Occurrences that begin or end inside a word do not count; of several, the only one that is a whole line does.
    """
    exact = _occurrences(text, target)
    if exact:
        return _single(text, exact, target)
    folded, offsets = _fold(text)
    wanted = _fold(target.strip())[0]
    loose = [(offsets[start], offsets[end - 1] + 1) for start, end in _occurrences(folded, wanted)]
    if not loose:
        return Match(fault="not_found")
    found = _single(text, loose, target)
    return found if found.fault else Match(start=found.start, end=found.end, tolerant=True)


def nearest(text: str, target: str) -> str:
    """Return the line of *text* most like *target* (at least 60 % alike), or an empty string."""
    first = target.strip().splitlines()[0] if target.strip() else ""
    scored = [
        (SequenceMatcher(None, first.casefold(), line.strip().casefold()).ratio(), line.strip())
        for line in text.splitlines()
    ]
    best = max(scored, default=(0.0, ""))
    return best[1] if best[0] >= 0.6 else ""


def same(left: str, right: str) -> bool:
    """True when two texts differ in nothing but case, white space and quote style."""
    return _fold(left.strip())[0].casefold() == _fold(right.strip())[0].casefold()


def _single(text: str, found: list[tuple[int, int]], target: str) -> Match:
    lines = [(start, end) for start, end in found if _is_line(text, start, end)]
    chosen = found if len(found) == 1 else lines
    if len(chosen) != 1:
        return Match(fault="ambiguous")
    start, end = chosen[0]
    if len(target.strip()) < MIN_ANCHOR and not lines:
        return Match(fault="too_short")
    return Match(start=start, end=end)


def _is_line(text: str, start: int, end: int) -> bool:
    before = text.rfind("\n", 0, start) + 1
    after = text.find("\n", end)
    after = len(text) if after < 0 else after
    return not text[before:start].strip() and not text[end:after].strip()


def _occurrences(text: str, target: str) -> list[tuple[int, int]]:
    if not target.strip():
        return []
    found = ((match.start(), match.start() + len(target)) for match in re.finditer(f"(?={re.escape(target)})", text))
    return [(start, end) for start, end in found if not (_inside_word(text, start) or _inside_word(text, end))]


def _inside_word(text: str, at: int) -> bool:
    return 0 < at < len(text) and text[at - 1].isalnum() and text[at].isalnum()


def _fold(text: str) -> tuple[str, list[int]]:
    """Return *text* with runs of white space as one blank and plain quotes, and where each character came from."""
    out: list[str] = []
    offsets: list[int] = []
    for index, char in enumerate(text.translate(_QUOTES)):
        if char.isspace():
            if out and out[-1] == " ":
                continue
            char = " "
        out.append(char)
        offsets.append(index)
    return "".join(out), offsets

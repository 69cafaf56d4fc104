"""Find the place an edit means, although its author copied the text a little wrong."""

import re
from dataclasses import dataclass
from difflib import get_close_matches

_QUOTES = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "\u00a0": " "})
_FIRST_WORDLESS = 0x0E00
"""From Thai on, scripts that put no blanks between words (Thai, Chinese, Japanese, …); any place may begin one."""
MIN_ANCHOR = 4
"""An anchor of fewer visible characters must be a whole line."""
HINT_CHARS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """Where the target lies, blanks around it left out, or why it has no single place.

    `fault` is `not_found`, `ambiguous` or `too_short`.
    """

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
        lead, tail = len(target) - len(target.lstrip()), len(target) - len(target.rstrip())
        return _single(text, [(start + lead, end - tail) for start, end in exact])
    squeezed, offsets = _squeeze(text)
    loose = [(offsets[start], offsets[end - 1] + 1) for start, end in _occurrences(squeezed, folded(target))]
    if not loose:
        return Match(fault="not_found")
    found = _single(text, loose)
    return found if found.fault else Match(start=found.start, end=found.end, tolerant=True)


def nearest(text: str, target: str) -> str:
    """Return the line of *text* most like the first of *target* (at least 60 % alike), or an empty string."""
    first = folded(target.strip().partition("\n")[0])[:HINT_CHARS].casefold()
    lines = {folded(line)[:HINT_CHARS].casefold(): line.strip() for line in text.splitlines() if line.strip()}
    return next((lines[found] for found in get_close_matches(first, lines, n=1, cutoff=0.6)), "")


def folded(text: str) -> str:
    """Return *text* with plain quotes and single blanks: equal for texts that differ in nothing else."""
    return " ".join(text.translate(_QUOTES).split())


def _single(text: str, found: list[tuple[int, int]]) -> Match:
    lines = [(start, end) for start, end in found if _is_line(text, start, end)]
    chosen = found if len(found) == 1 else lines
    if len(chosen) != 1:
        return Match(fault="ambiguous")
    start, end = chosen[0]
    if end - start < MIN_ANCHOR and not lines:
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
    return 0 < at < len(text) and all(char.isalnum() and ord(char) < _FIRST_WORDLESS for char in text[at - 1 : at + 1])


def _squeeze(text: str) -> tuple[str, list[int]]:
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

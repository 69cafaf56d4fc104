"""State by plain code what the right answers of a batch have in common, so that a teacher need not count."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from reflact.types import Rollout

FEWEST = 3
"""With fewer answers everything looks like a pattern."""
MOST_LABELS = 6
MOST_VARIANTS = 3
"""More variants than this at one place of a form are not listed."""

_BUILDS = (
    re.compile(r"\d+|[^\W\d_]+|\s+|.", re.DOTALL),
    re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|\s+|.", re.DOTALL),
)
_LEGEND = {
    "D": "D is a digit",
    "<number>": "<number> is a number",
    "A": "A is a capital letter",
    "<Word>": "<Word> is a word with a capital",
    "<word>": "<word> is a word in small letters",
}


def evidence(rollouts: Sequence[Rollout]) -> str:
    """Return one line of facts about the right answers of *rollouts* and about what was answered instead.

    Only rollouts that have a score and an expected answer count (of several expected answers, the first).
    The line is empty when there are fewer than three of them.
    """
    known = [rollout for rollout in rollouts if rollout.scored and rollout.expected]
    if len(known) < FEWEST:
        return ""
    right = [rollout.expected[0].strip() for rollout in known]
    wrong = [(rollout.expected[0].strip(), rollout.answer.strip()) for rollout in known if rollout.failed]
    labels = _closed_set(right)
    form = labels or _form(right)
    origin = "" if labels else _origin(right, [rollout.question for rollout in known], form=form)
    return " ".join(fact for fact in (form, origin, _lengths(right, wrong), _instead(wrong)) if fact)


def _closed_set(right: Sequence[str]) -> str:
    """A few answers that keep coming back are labels."""
    return f"Every right answer is one of: {', '.join(sorted(set(right)))}." if _few(right, MOST_LABELS) else ""


def _few(values: Sequence[str], most: int) -> bool:
    """Whether *values* are at most *most* different ones, each seen twice on average."""
    return len(set(values)) <= min(most, len(values) // 2)


def _form(right: Sequence[str]) -> str:
    """What the right answers look like, or at least how they all begin and end."""
    if pattern := _pattern(right):
        return f"Every right answer has the form {pattern}."
    start, end = _common_start(right), _common_start([text[::-1] for text in right])[::-1]
    ends = [f"begins with '{start}'"] * (len(start) > 1) + [f"ends with '{end}'"] * (len(end) > 1)
    return f"Every right answer {' and '.join(ends)}." if ends else ""


def _common_start(texts: Sequence[str]) -> str:
    columns = takewhile(lambda column: len(set(column)) == 1, zip(*texts, strict=False))
    return "".join(column[0] for column in columns)


def _pattern(texts: Sequence[str]) -> str:
    """Return the common form with its legend: `DDDD-DD-DD (D is a digit)`; empty when there is none."""
    for build in _BUILDS:
        rows = [build.findall(text) for text in texts]
        if len({tuple(_kind(token) for token in row) for row in rows}) == 1 and rows[0]:
            columns = [_column(tokens) for tokens in zip(*rows, strict=True)]
            marks = {mark for _, mark in columns}
            legend = ", ".join(meaning for mark, meaning in _LEGEND.items() if mark in marks)
            return "".join(text for text, _ in columns) + (f" ({legend})" if legend else "")
    return ""


def _kind(token: str) -> str:
    """Return what makes two tokens comparable: both numbers, both words, both blank, or both another sign."""
    tests = {"number": token[0].isdigit(), "word": token[0].isalpha(), "blank": token.isspace()}
    return next((kind for kind, holds in tests.items() if holds), "sign")


def _column(tokens: Sequence[str]) -> tuple[str, str]:
    """Return how the tokens at one place are written in a pattern, and the mark that needs a legend, if any."""
    first = tokens[0]
    same_length = len({len(token) for token in tokens}) == 1
    if len(set(tokens)) == 1:
        return first, ""
    if first[0].isdigit():
        plain = same_length and all(token.isdigit() for token in tokens)
        return ("D" * len(first), "D") if plain else ("<number>", "<number>")
    if _few(tokens, MOST_VARIANTS):
        return f"({' or '.join(sorted(set(tokens)))})", ""
    if same_length and all(token.isupper() for token in tokens):
        return "A" * len(first), "A"
    if all(token.istitle() for token in tokens):
        return "<Word>", "<Word>"
    return ("<word>", "<word>") if all(token.islower() for token in tokens) else ("<text>", "")


def _origin(right: Sequence[str], questions: Sequence[str], *, form: str) -> str:
    """Where the right answers come from, as far as their letters tell; a known *form* makes the numbers obvious."""
    pairs = list(zip(right, questions, strict=True))
    copied = sum(_stands_in(text, question) for text, question in pairs)
    if copied == len(pairs):
        return "Every right answer is copied word for word from the question."
    if copied >= 0.8 * len(pairs):
        return f"{copied} of {len(pairs)} right answers are copied word for word from the question."
    if all(_stands_in(text.casefold(), question.casefold()) for text, question in pairs):
        return "Every right answer stands in the question, but small and capital letters differ."
    numbers = [(re.findall(r"\d+(?:[.,]\d+)*", text), question) for text, question in pairs]
    if not form and all(found and all(_stands_in(number, question) for number in found) for found, question in numbers):
        return "Their numbers stand in the question."
    return ""


def _stands_in(text: str, whole: str) -> bool:
    """Whether *whole* contains *text*, and not as a piece of longer words."""
    return re.search(rf"(?<!\w){re.escape(text)}(?!\w)", whole) is not None


def _lengths(right: Sequence[str], wrong: Sequence[tuple[str, str]]) -> str:
    """The number of words in the right answers, against the student's where they differ."""
    wanted, given = _span(right), _span([answer for _, answer in wrong])
    return f"Length in words: right answers {wanted}, the student's {given}." if wrong and wanted != given else ""


def _span(texts: Sequence[str]) -> str:
    counts = [len(text.split()) for text in texts] or [0]
    return str(counts[0]) if min(counts) == max(counts) else f"{min(counts)} to {max(counts)}"


def _instead(wrong: Sequence[tuple[str, str]]) -> str:
    """What the student's wrong answers looked like."""
    if not wrong:
        return ""
    if not any(answer for _, answer in wrong):
        return "The student's answers were empty."
    inside = sum(_stands_in(text, answer) for text, answer in wrong)
    if 2 * inside >= len(wrong):
        return f"In {inside} of {len(wrong)} failures the student put other words around the right answer."
    form = _pattern([answer for _, answer in wrong]) if len(wrong) >= FEWEST else ""
    return f"The student's wrong answers have the form {form}." if form else ""

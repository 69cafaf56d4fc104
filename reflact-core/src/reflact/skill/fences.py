"""Fenced code blocks of a markdown text: where a new line must not land."""

import re
from collections.abc import Iterator

_FENCE = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})(.*)")

_WRAPPER = re.compile(r"(`{3,}|~{3,})[ \t]*(?:markdown|md)?\s*", re.IGNORECASE)


def fences(text: str) -> Iterator[tuple[int, int]]:
    """Yield the (start, end) of every fenced code block, also of one inside a list; an unclosed one runs to the end."""
    opened: tuple[int, str] | None = None
    position = 0
    for line in text.splitlines(keepends=True):
        if mark := _FENCE.match(line):
            fence, rest = mark.group(1), mark.group(2).strip()
            if opened is None:
                inline = fence.startswith("`") and "`" in rest
                opened = None if inline else (position, fence)
            elif fence.startswith(opened[1]) and not rest:
                yield opened[0], position + len(line)
                opened = None
        position += len(line)
    if opened:
        yield opened[0], len(text)


def unwrapped(text: str) -> str:
    """Return what stands inside the one markdown fence around all of *text*; any other text as it is.

    A bare fence within would close it, except after one that names a language.
    """
    first, *inner = text.strip().split("\n")
    opening = _WRAPPER.fullmatch(first)
    if opening is None or not inner or inner.pop().strip() != opening[1]:
        return text
    named = False
    for line in inner:
        mark = _FENCE.match(line)
        if mark and mark[1].startswith(opening[1]):
            if not (named or mark[2].strip()):
                return text
            named = bool(mark[2].strip())
    return text if named else "\n".join(inner)

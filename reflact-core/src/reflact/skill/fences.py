"""Fenced code blocks of a markdown text: where a new line must not land."""

import re
from collections.abc import Iterator

_FENCE = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})(.*)")


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

"""Protected regions of a skill: text that other mechanisms own and that no edit may touch.

A region runs from its start marker to its end marker, markers included. YAML front matter counts as one.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

SLOW_UPDATE = "SLOW_UPDATE"
APPENDIX = "APPENDIX"
NAMES = (SLOW_UPDATE, APPENDIX)

_MARKER = re.compile(rf"<!--\s*(?:{'|'.join(NAMES)})_(?:START|END)\s*-->")
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n.*?\n---[ \t]*(?:\n|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Where a protected region lies: `text[start:end]`."""

    name: str
    start: int
    end: int


def start_marker(name: str) -> str:
    """Return the line that opens region *name*."""
    return f"<!-- {name}_START -->"


def end_marker(name: str) -> str:
    """Return the line that closes region *name*."""
    return f"<!-- {name}_END -->"


def spans(text: str) -> tuple[Span, ...]:
    """Return the protected spans of *text*, front matter first, in order; an orphan marker is a span of its own."""
    found = []
    if match := _FRONT_MATTER.match(text):
        found.append(Span(name="FRONT_MATTER", start=0, end=match.end()))
    for name in NAMES:
        start = text.find(start_marker(name))
        end = text.find(end_marker(name), start) if start >= 0 else -1
        if end >= 0:
            found.append(Span(name=name, start=start, end=end + len(end_marker(name))))
    for match in _MARKER.finditer(text):
        if not any(span.start <= match.start() < span.end for span in found):
            found.append(Span(name="MARKER", start=match.start(), end=match.end()))
    return tuple(sorted(found, key=lambda span: span.start))


def protected(text: str) -> tuple[str, ...]:
    """Return the text of every protected span; equal before and after an edit that may stand."""
    return tuple(text[span.start : span.end] for span in spans(text))


def read(text: str, name: str) -> str | None:
    """Return the stripped content of region *name*, or None when *text* has no such region."""
    for span in spans(text):
        if span.name == name:
            return text[span.start + len(start_marker(name)) : span.end - len(end_marker(name))].strip()
    return None


def write(text: str, name: str, content: str) -> str:
    """Return *text* with the content of region *name* replaced, the region added at the end when missing."""
    block = f"{start_marker(name)}\n{strip_markers(content).strip()}\n{end_marker(name)}"
    for span in spans(text):
        if span.name == name:
            return text[: span.start] + block + text[span.end :]
    head = text.rstrip()
    return f"{head}\n\n{block}\n" if head else f"{block}\n"


def strip_markers(content: str) -> str:
    """Return *content* without any region marker."""
    return _MARKER.sub("", content)


def body_end(text: str) -> int:
    """Return where appended text goes: before the regions that close the document, else at its end."""
    end = len(text)
    for span in reversed(spans(text)):
        if span.name == "FRONT_MATTER" or text[span.end : end].strip():
            break
        end = span.start
    return end


def fences(text: str) -> Iterator[tuple[int, int]]:
    """Yield the (start, end) of every fenced code block; an unclosed one runs to the end."""
    opened: tuple[int, str] | None = None
    position = 0
    for line in text.splitlines(keepends=True):
        mark = re.match(r" {0,3}(`{3,}|~{3,})", line)
        if mark and opened is None:
            opened = (position, mark.group(1))
        elif mark and opened and mark.group(1).startswith(opened[1]) and not line.strip().strip("`~"):
            yield opened[0], position + len(line)
            opened = None
        position += len(line)
    if opened:
        yield opened[0], len(text)


def without_empty(text: str) -> str:
    """Return *text* without regions that hold nothing: what a skill says does not depend on them."""
    for name in NAMES:
        if read(text, name) == "":
            block = next(span for span in spans(text) if span.name == name)
            text = text[: block.start].rstrip() + "\n" + text[block.end :].lstrip()
    return text.strip()

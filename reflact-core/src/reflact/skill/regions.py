"""Protected regions of a skill: text that other mechanisms own and that no edit may touch.

A region runs from its start marker to its end marker, markers included. YAML front matter counts as one; what holds
a marker is none.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from reflact.skill.lines import closed, lf, opened

SLOW_UPDATE = "SLOW_UPDATE"
APPENDIX = "APPENDIX"
NAMES = (SLOW_UPDATE, APPENDIX)
FRONT_MATTER = "FRONT_MATTER"

_MARKER = re.compile(rf"<!--\s*({'|'.join(NAMES)})_(START|END)\s*-->")
_FRONT_MATTER = re.compile(r"\A\ufeff?---[ \t]*\r?\n(?:.*?\n)??---(?=[ \t]*(?:\r?\n|\Z))", re.DOTALL)
_KEY = re.compile(r"[\w.-]+[ \t]*:(?:[ \t]|\Z)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Where a protected region lies: `text[start:end]`. `inner` is what stands between its markers."""

    name: str
    start: int
    end: int
    inner: str = ""


def start_marker(name: str) -> str:
    """Return the line that opens region *name*."""
    return f"<!-- {name}_START -->"


def end_marker(name: str) -> str:
    """Return the line that closes region *name*."""
    return f"<!-- {name}_END -->"


def spans(text: str) -> tuple[Span, ...]:
    """Return the protected spans of *text*, in order; an orphan marker is a span of its own, named `MARKER`."""
    match = _FRONT_MATTER.match(text)
    front = [Span(name=FRONT_MATTER, start=0, end=match.end())] if match and not _MARKER.search(match[0]) else []
    return (*front, *_regions(text))


def protected(text: str) -> tuple[str, ...]:
    """Return the text of every protected span; equal before and after an edit that may stand."""
    return tuple(text[span.start : span.end] for span in spans(text))


def read(text: str, name: str) -> str | None:
    """Return the stripped content of region *name*, or None when *text* has no such region."""
    return next((span.inner.strip() for span in spans(text) if span.name == name), None)


def write(text: str, name: str, content: str) -> str:
    """Return *text* with the content of region *name* replaced, the region added at the end when missing."""
    plain = opened(text)
    block = f"{start_marker(name)}\n{strip_markers(lf(content)).strip()}\n{end_marker(name)}"
    for span in spans(plain):
        if span.name == name:
            return closed(plain[: span.start] + block + plain[span.end :], text)
    head = plain.rstrip()
    return closed(f"{head}\n\n{block}\n" if head else f"{block}\n", text)


def strip_markers(content: str) -> str:
    """Return *content* without any region marker, also without one that only appears when another is taken out."""
    while (stripped := _MARKER.sub("", content)) != content:
        content = stripped
    return content


def unprotected(text: str) -> str:
    """Return what is left of *text* without regions, stray markers and front matter; outer blanks are gone too.

    What only looks like front matter, a section between two rules, stays; the rule above it goes.
    """
    text = lf(text)
    for span in reversed(tuple(_regions(text))):
        if span.name in NAMES:
            text = text[: span.start].rstrip() + "\n\n" + text[span.end :].lstrip("\n")
    text = strip_markers(text).strip()
    while match := _FRONT_MATTER.match(text):
        text = text[match.end() if _is_yaml(match[0]) else text.index("\n") :].strip()
    return text


def carry_over(new: str, old: str) -> str:
    """Return the document *new* with the protected regions of *old*, and none of its own.

    Front matter comes first, the regions follow the text in their order. Line ends are those of *old*.
    """
    plain = opened(old)
    found = spans(plain)
    front = "".join(plain[: span.end] for span in found if span.name == FRONT_MATTER)
    last = [plain[span.start : span.end] for span in found if span.name != FRONT_MATTER]
    own = unprotected(lf(new).strip().removeprefix(lf(front)))
    parts = [part for part in (front, own, *last) if part]
    return closed("\n\n".join(parts) + "\n", old) if parts else ""


def body_end(text: str) -> int:
    """Return where appended text goes: before the regions that close the document, else at its end."""
    end = len(text)
    for span in reversed(spans(text)):
        if span.name == FRONT_MATTER or text[span.end : end].strip():
            break
        end = span.start
    return end


def without_empty(text: str) -> str:
    """Return *text* without regions that hold nothing: what a skill says does not depend on them."""
    for span in reversed(spans(text)):
        if span.name in NAMES and not span.inner.strip():
            text = text[: span.start].rstrip() + "\n" + text[span.end :].lstrip()
    return text.strip()


def _regions(text: str) -> Iterator[Span]:
    markers = list(_MARKER.finditer(text))
    at = 0
    while at < len(markers):
        opening = markers[at]
        name, kind = opening.groups()
        ends = (index for index in range(at + 1, len(markers)) if markers[index].groups() == (name, "END"))
        last = next(ends, at) if kind == "START" else at
        closing = markers[last]
        yield Span(
            name=name if last > at else "MARKER",
            start=opening.start(),
            end=closing.end(),
            inner=text[opening.end() : closing.start()],
        )
        at = last + 1


def _is_yaml(block: str) -> bool:
    """True when what stands between the two rules of *block* can be read as YAML keys, or is nothing."""
    lines = block.split("\n")[1:-1]
    keys = [bool(_KEY.match(line)) for line in lines]
    return not lines or (keys[0] and all(key or line[:1] in "\t -#" for key, line in zip(keys, lines, strict=True)))

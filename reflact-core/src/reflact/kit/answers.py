"""The answer in a reply: reasoning set aside, the last `<answer>` tag taken. Linear in the length of the reply."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import Literal, NamedTuple

How = Literal["tag", "box", "unclosed", "fallback", "none"]


class Answer(NamedTuple):
    """An answer, and how it was found in the reply."""

    text: str
    how: How


def without_reasoning(reply: str) -> str:
    """Return *reply* without its `<think>` (or `<thinking>`) blocks, stripped.

    A reply that begins inside a block (its opening tag is part of some models' prompt) loses all up to the end of it,
    and one that never leaves its first block is empty.
    """
    rest = _without_blocks(_without_blocks(reply, "think"), "thinking")
    ends = [*_spans("/think", rest), *_spans("/thinking", rest)]
    rest = rest[max(ends)[1] :].strip() if ends else rest.strip()
    return "" if re.match(r"<think(ing)?\b", rest, re.IGNORECASE) else rest


def extract_answer(reply: str, *, fallback: bool = True) -> Answer:
    """Return what the last complete `<answer>` tag of *reply* holds, stripped; reasoning and `<analysis>` are ignored.

    Without one: the text after the last opening tag (`unclosed`); else the last line that is not blank, where
    *fallback* allows it; else an empty answer (`none`).
    """
    text = _without_blocks(without_reasoning(reply), "analysis").strip()
    starts, ends = _spans("answer", text), _spans("/answer", text)
    complete = [end for _, end in starts if ends and end <= ends[-1][0]]
    if complete:
        return Answer(text[complete[-1] : _first_from(ends, complete[-1])[0]].strip(), "tag")
    if starts:
        return Answer(text[starts[-1][1] :].strip(), "unclosed")
    lines = text.splitlines()
    if fallback and lines:
        return Answer(lines[-1].strip(), "fallback")
    return Answer("", "none")


def _without_blocks(text: str, tag: str) -> str:
    """Return *text* without what stands between an opening *tag* and the next closing one, tags included."""
    ends = _spans(f"/{tag}", text)
    kept, at = [], 0
    for start, inside in _spans(tag, text):
        if start >= at and ends and inside <= ends[-1][0]:
            kept.append(text[at:start])
            at = _first_from(ends, inside)[1]
    return "".join(kept) + text[at:]


def _spans(tag: str, text: str) -> list[tuple[int, int]]:
    return [match.span() for match in re.finditer(rf"<{tag}(\s[^<>]*)?>", text, re.IGNORECASE)]


def _first_from(spans: Sequence[tuple[int, int]], at: int) -> tuple[int, int]:
    return spans[bisect_left(spans, (at, at))]

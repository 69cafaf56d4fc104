"""The JSON values a text may mean, the likeliest first; in time linear in the text, whatever it holds."""

import json
import re
from collections.abc import Iterator
from math import isfinite
from typing import Any

from json_repair import repair_json

_THOUGHT = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_OPENER = re.compile(r"[{\[]")
_FENCE = re.compile(r"[ \t]*(`{3,})([\w-]*)[ \t]*")
PATIENCE = 100_000
"""Characters that may be read in vain when looking for values, besides ten times the length of the text."""
DEPTH_COST = 10_000
REPAIRED_CHARS, REPAIRED_BRACKETS = 100_000, 1000
"""A broken object beyond this is not mended: `json-repair` takes quadratic time on some texts."""


class DuplicateKey(Exception):
    """An object says two things under one key."""


def candidates(text: str) -> Iterator[Any]:
    """Yield the JSON values of *text*, the likeliest first. Raises `DuplicateKey` when one contradicts itself.

    In turn: the whole text; what follows the last thought, if it is one value; fenced blocks, the last first;
    complete values anywhere, the last first; and a single broken object, mended.
    """
    yield from _load(text)
    said = _THOUGHT.split(text)[-1].strip()
    for chunk in (said, *reversed(list(_fenced(said)))):
        yield from _load(chunk)
        if _broken(chunk):
            yield from _mended(chunk)
    yield from reversed(list(_scan(said)))
    start, end = said.find("{"), said.rfind("}")
    if 0 <= start < end and _broken(said[start : end + 1]):
        yield from _mended(said[start : end + 1])


def _load(text: str) -> Iterator[Any]:
    try:
        yield _DECODER.decode(text)
    except (ValueError, RecursionError):
        return


def _fenced(text: str) -> Iterator[str]:
    """Yield what stands in each closed block of backticks; fences stand alone on their lines."""
    lines = text.split("\n")
    fence, first = "", 0
    for number, line in enumerate(lines):
        mark = _FENCE.fullmatch(line.rstrip("\r"))
        if mark and not fence:
            fence, first = mark.group(1), number + 1
        elif mark and not mark.group(2) and mark.group(1).startswith(fence):
            yield "\n".join(lines[first:number])
            fence = ""


def _scan(text: str) -> Iterator[Any]:
    """Yield the complete objects and arrays of *text* that stand in no other, in order."""
    position, patience = 0, PATIENCE + 10 * len(text)
    while patience > 0 and (opener := _OPENER.search(text, position)):
        try:
            value, position = _DECODER.raw_decode(text, opener.start())
        except json.JSONDecodeError as error:
            patience -= 100 + error.pos - opener.start()
            position = opener.end()
        except (ValueError, RecursionError):
            patience -= DEPTH_COST
            position = opener.end()
        else:
            if value:
                yield value


def _broken(text: str) -> bool:
    """True for what looks like one object but is none as it is written."""
    if not (text.startswith("{") and text.endswith("}")):
        return False
    try:
        _DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        return len(text) <= REPAIRED_CHARS and text.count("{") + text.count("[") <= REPAIRED_BRACKETS
    return False


def _mended(text: str) -> Iterator[Any]:
    try:
        mended = repair_json(text)
    except (ValueError, RecursionError):
        return
    yield from (value for value in _load(mended) if isinstance(value, dict) and value)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    for key, value in pairs if len(found) < len(pairs) else ():
        if found[key] != value:
            raise DuplicateKey(f"the key {key!r} stands twice in one object, with different values")
    return found


def _finite(number: str) -> float:
    value = float(number)
    if not isfinite(value):
        raise ValueError(f"{number} is not a finite number")
    return value


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_float=_finite, parse_constant=_finite, strict=False)

"""Get the JSON a teacher meant out of the text it wrote, and validate it.

Order: the whole text, a fenced block, the last complete value in the text, and for a single broken one `json-repair`.
Text inside a closed `<think>` block is not part of the answer.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from json_repair import repair_json
from pydantic import TypeAdapter, ValidationError

from reflact.errors import ReflactError

_THINK = re.compile(r"<think>.*?</think>", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"^```[\w-]*[ \t]*\n(.*?)^```[ \t]*$", re.DOTALL | re.MULTILINE)
MAX_STARTS = 500
"""How many opening brackets of a text are tried; what is not found by then is malformed."""


class MalformedReply(ReflactError):
    """A reply that holds no valid answer; the message is what the model is told when asked again."""


def parse(text: str, reply: Any) -> Any:
    """Return the value of type *reply* in *text*. Raises `MalformedReply` saying what is wrong and where."""
    faults: list[str] = []
    adapter = TypeAdapter(reply)
    for value in _candidates(_THINK.sub("", text)):
        for shape in _shapes(value):
            try:
                return adapter.validate_python(shape)
            except ValidationError as error:
                faults.append(_say(error))
    raise MalformedReply(faults[0] if faults else "the reply holds no JSON object")


def _candidates(text: str) -> Iterator[Any]:
    for chunk in (text, *reversed(_FENCE.findall(text))):
        yield from _load(chunk)
    found = list(_scan(text))
    yield from reversed(found)
    start, end = text.find("{"), text.rfind("}")
    if not found and 0 <= start < end:
        yield repair_json(text[start : end + 1], return_objects=True)


def _load(text: str) -> Iterator[Any]:
    try:
        yield json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return


def _scan(text: str) -> Iterator[Any]:
    decoder = json.JSONDecoder(parse_constant=_refuse)
    position = 0
    for _ in range(MAX_STARTS):
        starts = [at for at in (text.find("{", position), text.find("[", position)) if at >= 0]
        if not starts:
            return
        position = min(starts)
        try:
            value, position = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            position += 1
            continue
        if value:
            yield value


def _shapes(value: Any) -> Iterator[Any]:
    if isinstance(value, str):
        for inner in _load(value):
            yield from _shapes(inner)
        return
    yield value
    if isinstance(value, dict):
        for inner in value.values():
            if isinstance(inner, dict):
                yield inner


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def _say(error: ValidationError) -> str:
    parts = (f"{'.'.join(map(str, fault['loc'])) or 'the reply'}: {fault['msg'].lower()}" for fault in error.errors())
    return "; ".join(parts)

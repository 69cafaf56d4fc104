"""Get the answer a teacher meant out of the text it wrote, and validate it."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from reflact.errors import ReflactError
from reflact.llm.candidates import DuplicateKey, candidates

TOLD_FAULTS = 5


class MalformedReply(ReflactError):
    """A reply that holds no valid answer; the message is what the model is told when asked again."""


def parse(text: str, reply: Any) -> Any:
    """Return the value of type *reply* in *text*. Raises `MalformedReply` saying what is wrong and where."""
    faults: list[str] = []
    try:
        for value in candidates(text):
            for shape in _shapes(value):
                try:
                    return _adapter(reply).validate_python(_writable(shape))
                except ValidationError as error:
                    faults.append(_say(error))
    except (DuplicateKey, RecursionError) as error:
        raise MalformedReply(str(error)) from error
    raise MalformedReply(faults[0] if faults else "the reply holds no JSON object that can be read")


@cache
def _adapter(reply: Any) -> TypeAdapter[Any]:
    return TypeAdapter(reply)


def _shapes(value: Any) -> Iterator[Any]:
    """Yield *value* as it is and, in case it was wrapped once, what is inside it."""
    if isinstance(value, str):
        yield from candidates(value)
        return
    yield value
    if isinstance(value, dict):
        yield from (inner for inner in value.values() if isinstance(inner, dict))


def _writable(value: Any) -> Any:
    """Return *value* with a `?` for each half of a surrogate pair: no file could hold it."""
    return json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))


def _say(error: ValidationError) -> str:
    faults = error.errors(include_url=False, include_input=False)
    told = [f"{'.'.join(map(str, fault['loc'])) or 'the reply'}: {fault['msg'].lower()}" for fault in faults]
    more = len(told) - TOLD_FAULTS
    return "; ".join(told[:TOLD_FAULTS]) + (f"; and {more} more like these" if more > 0 else "")

"""How values become files and files become values again."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

from reflact.contracts import UpdateMode
from reflact.types import Proposal, Skill

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Codec(Generic[T]):
    """A pair of inverse functions between a value and the text of its file."""

    encode: Callable[[T], str]
    decode: Callable[[str], T]


def to_text(value: Any) -> str:
    """Return JSON text as every artifact holds it: two blanks of indent, real characters, a final newline."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


@cache
def _adapter(type_: Any) -> TypeAdapter[Any]:
    return TypeAdapter(type_)


def plain(value: Any, type_: Any = Any) -> Any:
    """Return *value* as JSON-ready data."""
    own: Any = type(value) if type_ is Any else type_
    return _adapter(own).dump_python(value, mode="json")


def structure(type_: Any, data: Any) -> Any:
    """Return JSON-ready *data* as a *type_*. Raises `ValueError` when it does not fit."""
    try:
        return _adapter(type_).validate_python(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise ValueError(f"{'.'.join(map(str, first['loc'])) or 'it'}: {first['msg']}") from error


def json_codec(type_: Any) -> Codec[Any]:
    """Return the codec that writes a *type_* as JSON."""
    return Codec(
        encode=lambda value: to_text(plain(value, type_)),
        decode=lambda text: structure(type_, json.loads(text)),
    )


SKILL: Codec[Skill] = Codec(encode=lambda skill: skill.text, decode=Skill)


def proposal_codec(mode: UpdateMode, *, nested: bool = False) -> Codec[Proposal]:
    """Return the codec of a proposal in *mode*: its items stand under the mode's own key.

    *nested* is the shape of an analyst's file: reasoning and items inside `patch`, patterns as `failure_summary`.
    """
    items = tuple[mode.item, ...]  # type: ignore[name-defined]

    def encode(value: Proposal) -> str:
        data = plain(replace(value, items=()), Proposal)
        del data["items"]
        patch = {"reasoning": data.pop("reasoning"), mode.payload: plain(value.items, items)}
        data["failure_summary"] = data.pop("failures")
        return to_text({"patch": patch, **data} if nested else {**patch, **data})

    def decode(text: str) -> Proposal:
        data = json.loads(text)
        if nested:
            data.update(data.pop("patch"))
        found = structure(items, data.pop(mode.payload))
        data["failures"] = data.pop("failure_summary")
        value: Proposal = structure(Proposal, {**data, "items": ()})
        return replace(value, items=found)

    return Codec(encode=encode, decode=decode)

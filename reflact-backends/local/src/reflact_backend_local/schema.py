"""Make a JSON schema fit for constrained decoding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

SLOW = frozenset({"maxLength", "minLength", "pattern", "format"})
NOISE = frozenset({"title", "description", "default", "examples", "$schema", "$id"})
NAMED = frozenset({"properties", "$defs", "definitions", "patternProperties", "dependentSchemas"})
LITERAL = frozenset({"enum", "const", "required"})


def decodable(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return *schema* without what makes decoding slow (lengths, patterns) or says nothing to it (titles).

    Everything else stays, `$ref` and `$defs` too; a property that merely bears such a name is kept.
    """
    return {key: _inside(key, value) for key, value in schema.items() if key not in SLOW | NOISE}


def _inside(key: str, value: Any) -> Any:
    if key in LITERAL:
        return value
    if key in NAMED and isinstance(value, Mapping):
        return {name: _any(one) for name, one in value.items()}
    return _any(value)


def _any(value: Any) -> Any:
    if isinstance(value, Mapping):
        return decodable(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_any(one) for one in value]
    return value

"""Which JSON schemas Claude can be held to, and in which form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from anthropic import transform_schema

_NESTED = ("items", "prefixItems", "anyOf", "oneOf", "allOf")


def enforceable(schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return *schema* in the form the API takes; `None` when that would mean something else, as for open objects."""
    if not _is_closed(schema):
        return None
    try:
        return transform_schema(dict(schema))
    except ValueError:  # a part without a type
        return None


def _is_closed(schema: Any) -> bool:
    if isinstance(schema, list):
        return all(map(_is_closed, schema))
    if not isinstance(schema, Mapping):
        return True
    if schema.get("type") == "object" and schema.get("additionalProperties") is not False:
        return False
    named = [*schema.get("properties", {}).values(), *schema.get("$defs", {}).values()]
    return all(map(_is_closed, named)) and all(_is_closed(schema[word]) for word in _NESTED if word in schema)

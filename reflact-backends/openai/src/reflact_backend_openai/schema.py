"""Which JSON schemas OpenAI takes for strict output."""

from collections.abc import Mapping
from typing import Any

_NESTED = ("items", "prefixItems", "anyOf", "oneOf", "allOf")


def is_strict(schema: Any) -> bool:
    """Return whether every object of *schema* is closed and requires all it has, as strict output demands."""
    if isinstance(schema, list):
        return all(map(is_strict, schema))
    if not isinstance(schema, Mapping):
        return True
    properties = schema.get("properties", {})
    closed = schema.get("additionalProperties") is False and set(schema.get("required", ())) == set(properties)
    if schema.get("type") == "object" and not closed:
        return False
    named = [*properties.values(), *schema.get("$defs", {}).values()]
    return all(map(is_strict, named)) and all(is_strict(schema[word]) for word in _NESTED if word in schema)

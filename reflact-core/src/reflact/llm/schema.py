"""The JSON schema of a reply, in the strict form that providers constrain decoding with."""

from typing import Any

from pydantic import TypeAdapter

NAMED = frozenset({"properties", "$defs"})
"""Keywords under which names of our own stand, not keywords of JSON schema."""


def strict_schema(reply: Any) -> dict[str, Any]:
    """Return the JSON schema of *reply*: every property required, nothing besides, no defaults."""
    schema = TypeAdapter(reply).json_schema()
    _tighten(schema)
    return schema


def _tighten(node: Any) -> None:
    if isinstance(node, list):
        for part in node:
            _tighten(part)
    if not isinstance(node, dict):
        return
    node.pop("default", None)
    node.pop("title", None)
    properties = node.get("properties")
    if isinstance(properties, dict):
        node["required"] = list(properties)
        node["additionalProperties"] = False
    for key, part in node.items():
        _tighten(list(part.values()) if key in NAMED else part)

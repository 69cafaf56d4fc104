"""The JSON schema of a reply, in the strict form that providers constrain decoding with."""

from typing import Any

from pydantic import TypeAdapter


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
    if isinstance(node.get("properties"), dict):
        node["required"] = list(node["properties"])
        node["additionalProperties"] = False
        for part in node["properties"].values():
            part.pop("title", None) if isinstance(part, dict) else None
    if "type" in node or "$ref" in node or "anyOf" in node:
        node.pop("default", None)
    for part in node.values():
        _tighten(part)

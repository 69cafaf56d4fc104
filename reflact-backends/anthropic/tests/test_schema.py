from typing import Any

import pytest
from reflact_backend_anthropic.schema import enforceable

CLOSED = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}


def test_a_closed_schema_is_sent_and_left_as_it_was() -> None:
    given = {**CLOSED, "properties": {"n": {"type": "integer", "minimum": 1}}}
    got = enforceable(given)
    assert got is not None
    assert "minimum" not in got["properties"]["n"]
    assert "minimum: 1" in got["properties"]["n"]["description"]
    assert given["properties"] == {"n": {"type": "integer", "minimum": 1}}


OPEN: list[dict[str, Any]] = [
    {"type": "object"},
    {**CLOSED, "additionalProperties": {"type": "string"}},
    {**CLOSED, "properties": {"city": {"type": "array", "items": {"type": "object", "properties": {}}}}},
    {**CLOSED, "properties": {"city": {"$ref": "#/$defs/City"}}, "$defs": {"City": {"type": "object"}}},
    {**CLOSED, "properties": {"city": {"anyOf": [{"type": "null"}, {"type": "object"}]}}},
    {**CLOSED, "properties": {"city": {}}},
]


@pytest.mark.parametrize("schema", OPEN)
def test_a_schema_that_closing_would_change_is_not_sent(schema: dict[str, Any]) -> None:
    assert enforceable(schema) is None


def test_a_property_may_be_called_properties() -> None:
    schema = {**CLOSED, "properties": {"properties": {"type": "string"}}, "required": ["properties"]}
    assert enforceable(schema) == schema

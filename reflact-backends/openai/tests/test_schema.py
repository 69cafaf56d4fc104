from reflact_backend_openai.schema import is_strict

CLOSED = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}


def test_only_a_schema_that_is_closed_throughout_is_strict() -> None:
    nested = {**CLOSED, "properties": {"city": {"type": "array", "items": {"type": "object", "properties": {}}}}}
    assert is_strict(CLOSED)
    assert not is_strict({**CLOSED, "required": []})
    assert not is_strict({name: part for name, part in CLOSED.items() if name != "additionalProperties"})
    assert not is_strict(nested)


def test_a_property_may_be_called_properties() -> None:
    inner = {"type": "string"}
    assert is_strict({**CLOSED, "properties": {"properties": inner}, "required": ["properties"]})

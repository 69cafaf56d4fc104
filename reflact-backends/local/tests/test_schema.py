"""A schema keeps its structure and loses what makes constrained decoding slow."""

from __future__ import annotations

from reflact_backend_local.schema import decodable


def test_lengths_patterns_and_titles_go_wherever_they_are():
    text = {"type": "string", "title": "Content", "maxLength": 200, "minLength": 1, "pattern": "^a", "format": "date"}
    schema = {
        "title": "Reply",
        "type": "object",
        "properties": {
            "one": text,
            "many": {"type": "array", "items": text},
            "either": {"anyOf": [text, {"type": "null"}]},
        },
        "$defs": {"Edit": {"type": "object", "properties": {"content": text}}},
    }
    plain = {"type": "string"}
    assert decodable(schema) == {
        "type": "object",
        "properties": {
            "one": plain,
            "many": {"type": "array", "items": plain},
            "either": {"anyOf": [plain, {"type": "null"}]},
        },
        "$defs": {"Edit": {"type": "object", "properties": {"content": plain}}},
    }


def test_structure_stays():
    schema = {
        "type": "object",
        "properties": {
            "op": {"enum": ["append", "delete"]},
            "version": {"const": {"title": "kept", "pattern": "kept"}},
            "edits": {"type": "array", "items": {"$ref": "#/$defs/Edit"}, "minItems": 1, "maxItems": 2},
        },
        "required": ["op", "edits"],
        "additionalProperties": False,
    }
    assert decodable(schema) == schema


def test_a_property_that_is_called_like_a_keyword_stays():
    schema = {"type": "object", "properties": {"title": {"type": "string"}, "pattern": {"type": "string"}}}
    assert decodable(schema) == schema


def test_the_given_schema_is_left_alone():
    schema = {"type": "object", "properties": {"a": {"type": "string", "maxLength": 3}}}
    decodable(schema)
    assert schema["properties"]["a"]["maxLength"] == 3

"""The strict schema of a reply."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import pytest
from pydantic import BaseModel
from reflact.llm.schema import strict_schema
from reflact.modes.patch import Patch
from reflact.stages.replies import Ranking, analysis, merging


class Suggestion(BaseModel):
    type: Literal["add", "remove"] = "add"
    title: str = ""
    default: str | None = None
    properties: list[str] = []


def objects(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        if node.get("type") == "object":
            yield node
        for part in node.values():
            yield from objects(part)
    if isinstance(node, list):
        for part in node:
            yield from objects(part)


@pytest.mark.parametrize(
    "reply", [Ranking, analysis(Patch(), success=False), analysis(Patch(), success=True), merging(Patch())]
)
def test_every_object_requires_all_its_properties_and_allows_no_others(reply: type[BaseModel]) -> None:
    found = list(objects(strict_schema(reply)))
    assert found
    for one in found:
        assert one["required"] == list(one["properties"])
        assert one["additionalProperties"] is False


def test_no_default_is_left() -> None:
    schema = strict_schema(analysis(Patch(), success=False))
    assert not [one for one in objects(schema) for part in one["properties"].values() if "default" in part]


def test_properties_that_are_called_like_keywords_are_kept() -> None:
    schema = strict_schema(Suggestion)
    assert schema["required"] == ["type", "title", "default", "properties"]
    assert schema["properties"]["title"] == {"type": "string"}
    assert schema["properties"]["properties"] == {"type": "array", "items": {"type": "string"}}


def test_a_merge_asks_for_the_numbers_an_item_was_made_from() -> None:
    item = strict_schema(merging(Patch()))["$defs"]["MergedItem"]
    assert item["properties"]["sources"] == {"type": "array", "items": {"type": "integer"}}
    assert item["properties"]["op"]["enum"] == ["append", "insert_after", "replace", "delete"]

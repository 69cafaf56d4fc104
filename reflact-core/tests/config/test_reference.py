"""The reference page and the JSON schema are made from the models."""

import json
from pathlib import Path

from reflact.config import Config
from reflact.config.reference import reference, schema_json
from reflact.config.run import SECTIONS
from reflact.config.split import SplitConfig

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "config.md"


def test_the_reference_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == reference(), (
        "python -m reflact.config.reference > docs/reference/config.md"
    )


def test_the_reference_has_a_row_for_every_key() -> None:
    page = reference()
    models: list[type[Config]] = [*SECTIONS.values(), SplitConfig]
    keys = [key for model in models for key in model.model_fields]
    assert [key for key in keys if f"| `{key}` |" not in page] == []


def test_the_json_schema_knows_sections_roles_and_bases() -> None:
    schema = json.loads(schema_json())
    assert set(SECTIONS) | {"prompts", "prices", "_base_"} == set(schema["properties"])
    teacher = schema["$defs"]["Model"]["properties"]["teacher"]
    assert [one["type"] for one in teacher["anyOf"]] == ["string", "object"]
    assert schema["$defs"]["EnvCommon"]["additionalProperties"] is True
    assert schema["$defs"]["Train"]["properties"]["batch_size"]["exclusiveMinimum"] == 0

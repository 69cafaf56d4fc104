"""The core's own packs keep what every pack promises."""

from collections.abc import Iterable
from pathlib import Path

import jinja2
import pytest
from reflact.contracts import PromptPack
from reflact.llm.prompts import Prompts
from reflact.testing import PromptContract


class TestDefault(PromptContract):
    name = "default"


class TestSmall(PromptContract):
    name = "small"


def contract_of(folder: Path, templates: Iterable[tuple[str, str]]) -> tuple[PromptContract, Prompts]:
    for name, text in templates:
        (folder / name).write_text(text, encoding="utf-8")

    class OfFolder(PromptContract):
        def pack(self) -> PromptPack:
            return PromptPack(name="folder", root=folder)

    return OfFolder(), Prompts((folder,))


def test_a_misspelt_template_is_found(tmp_path: Path) -> None:
    contract, _ = contract_of(tmp_path, [("analist_failure.md.j2", "Hi")])
    with pytest.raises(AssertionError, match="analist_failure"):
        contract.test_every_template_has_a_name_the_core_asks_for()


def test_a_variable_the_core_does_not_give_is_found(tmp_path: Path) -> None:
    contract, prompts = contract_of(tmp_path, [("rank.md.j2", "Choose {{ how_many }}")])
    with pytest.raises(jinja2.UndefinedError, match="how_many"):
        contract.test_every_template_is_filled_from_the_documented_variables(prompts)


def test_a_schema_without_its_template_is_found(tmp_path: Path) -> None:
    contract, _ = contract_of(tmp_path, [("rank.schema.json", "{}")])
    with pytest.raises(AssertionError):
        contract.test_a_reply_schema_is_json_and_stands_beside_its_template()

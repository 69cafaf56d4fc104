"""What a backend's README says of its configuration is so: the example loads, each key is there with its default."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from documents import Desk, blocks
from pydantic_core import PydanticUndefined
from reflact import Plugins
from workspace import ROOT

README = {
    "openai_chat": "openai",
    "claude_chat": "anthropic",
    "local_chat": "local",
    "codex_exec": "codex",
    "claude_code_exec": "claude_code",
}
ROW = re.compile(r"^\| (`[^|]+) \| ([^|]*) \|", re.M)
WORDS = {"empty": ("", (), {}, []), "–": (None,)}


def page(backend: str) -> Path:
    return ROOT / "reflact-backends" / README[backend] / "README.md"


def rows(backend: str) -> Iterator[tuple[str, str]]:
    """Yield each key of the README's tables, and the default that stands beside it."""
    for keys, default in ROW.findall(page(backend).read_text(encoding="utf-8")):
        names = re.findall(r"`([a-z_]+)`", keys)
        defaults = [one.strip() for one in default.split(",")] if len(names) > 1 and "," in default else []
        yield from zip(names, defaults or [default.strip()] * len(names), strict=True)


def test_every_backend_has_its_readme_here() -> None:
    assert {page(one).parent for one in README} == {
        one.parent for one in ROOT.glob("reflact-backends/*/pyproject.toml")
    }


@pytest.mark.parametrize("backend", README)
def test_every_key_is_described_and_every_described_key_is_one(backend: str) -> None:
    assert {key for key, _ in rows(backend)} == set(Plugins().get("backends", backend).config.model_fields)


@pytest.mark.parametrize("backend", README)
def test_a_default_is_what_the_readme_says(backend: str) -> None:
    fields = Plugins().get("backends", backend).config.model_fields
    for key, told in rows(backend):
        default = fields[key].get_default(call_default_factory=True)
        assert default is not PydanticUndefined
        if told in WORDS:
            assert default in WORDS[told], key
        elif re.fullmatch(r"[\d.]+", told):
            assert default == float(told), key
        elif re.fullmatch(r"`[^`]+`", told) and not key.startswith("azure_"):
            assert str(default).lower() == told.strip("`").lower(), key


@pytest.mark.parametrize("backend", README)
def test_its_examples_are_configurations(backend: str, tmp_path: Path) -> None:
    examples = [one for one in blocks(page(backend)) if one.language == "yaml"]
    assert examples
    for one in examples:
        Desk(tmp_path).carry_out(one)

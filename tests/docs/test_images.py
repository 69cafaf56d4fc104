"""The page on images tells every key and its default."""

from __future__ import annotations

import re

from reflact.kit.media import LIMITS, ImageConfig
from workspace import ROOT

PAGE = (ROOT / "docs" / "reference" / "images.md").read_text(encoding="utf-8")


def test_every_key_is_told_with_its_default() -> None:
    told = dict(re.findall(r"^\| `(\w+)` \| ([^|]*?) ?\|", PAGE, re.M))
    assert told == {name: _written(field.default) for name, field in ImageConfig.model_fields.items()}


def test_every_set_of_limits_is_named() -> None:
    assert all(f"`{name}`" in PAGE for name in LIMITS)


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)

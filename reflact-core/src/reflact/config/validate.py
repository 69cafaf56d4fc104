"""Validate a section strictly, but let a text field have the text its author wrote."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from pydantic import SecretStr, ValidationError
from pydantic_core import ErrorDetails

from reflact.config.explain import Loc
from reflact.config.schema import Config
from reflact.errors import ConfigError

SCALAR = frozenset({"int_type", "float_type", "bool_type", "string_type"})
TEXTUAL = frozenset({"string_type", "literal_error"})


def validate(model: type[Config], values: Mapping[str, Any]) -> Config | list[ErrorDetails]:
    """Return *values* as a *model*, or what is wrong with them.

    Scalars are strict (no text for a number, no number for a truth value), with two freedoms: an integer may stand for
    a float, and a number or truth value given for a text field stays the text that was written (`model: 123`).
    """
    plain = json.loads(_json(values))
    found = _attempt(model, plain, strict=False)
    if isinstance(found, list) and _put_texts(plain, values, found):
        found = _attempt(model, plain, strict=False)
    strict = _attempt(model, plain, strict=True)
    mistyped = [error for error in strict if error["type"] in SCALAR] if isinstance(strict, list) else []
    if not mistyped:
        return found
    seen = {error["loc"] for error in mistyped}
    return mistyped + [error for error in found if error["loc"] not in seen] if isinstance(found, list) else mistyped


def _attempt(model: type[Config], values: Mapping[str, Any], *, strict: bool) -> Config | list[ErrorDetails]:
    try:
        return model.model_validate_json(json.dumps(values), strict=strict)
    except ValidationError as error:
        return error.errors(include_url=False)


def _json(values: Mapping[str, Any]) -> str:
    return json.dumps(values, default=_plain)


def _plain(value: Any) -> Any:
    if isinstance(value, SecretStr):
        return value.get_secret_value()
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, set | frozenset):
        return sorted(value)
    if isinstance(value, PurePath):
        return str(value)
    raise ConfigError(f"a config cannot hold a {type(value).__name__} (got {value!r})")


def _put_texts(plain: dict[str, Any], values: Mapping[str, Any], errors: list[ErrorDetails]) -> bool:
    return sum(_put_text(plain, values, error["loc"]) for error in errors if error["type"] in TEXTUAL) > 0


def _put_text(plain: Any, values: Any, loc: Loc) -> bool:
    """Replace the scalar at *loc* in *plain* by its text; return whether there was one."""
    for key in loc:
        try:
            inner = values[key]
        except (KeyError, IndexError, TypeError):
            return False
        if isinstance(inner, bool):
            plain[key] = "true" if inner else "false"
            return True
        if isinstance(inner, int | float):
            plain[key] = getattr(inner, "text", str(inner))
            return True
        plain, values = plain[key], inner
    return False

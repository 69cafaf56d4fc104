"""Writing TOML: the little of it that a configuration of Codex needs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

Value = str | bool | int | Sequence[str] | Mapping[str, "Value"]


def dump(data: Mapping[str, Value]) -> str:
    """Return *data* as TOML; a mapping at the top is a table, one within it an inline table."""
    plain = [f"{_key(key)} = {value(one)}" for key, one in data.items() if not isinstance(one, Mapping)]
    tables = [
        f"\n[{_key(key)}]\n" + "\n".join(f"{_key(name)} = {value(inner)}" for name, inner in one.items())
        for key, one in data.items()
        if isinstance(one, Mapping)
    ]
    return "\n".join([*plain, *tables, ""])


def value(given: Value) -> str:
    """Return *given* as a TOML value; no text in it can end its quotes."""
    if isinstance(given, bool):
        return "true" if given else "false"
    if isinstance(given, int):
        return str(given)
    if isinstance(given, str):
        return json.dumps(given, ensure_ascii=False).replace("\x7f", "\\u007F")
    if isinstance(given, Mapping):
        return "{ " + ", ".join(f"{_key(name)} = {value(one)}" for name, one in given.items()) + " }"
    return "[" + ", ".join(map(value, given)) + "]"


def _key(name: str) -> str:
    return name if name.replace("-", "").replace("_", "").isalnum() and name.isascii() else value(name)

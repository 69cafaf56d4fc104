"""A configuration for a person to look at: no secrets, and on demand the place of every value."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from reflact.config import Resolved
from reflact.config.secret import HIDDEN, is_secret
from reflact.engine.resume import nested


def shown(resolved: Resolved) -> dict[str, Any]:
    """Return *resolved* in the shape of a config file; a secret that is set is shown as asterisks."""
    values = nested(resolved)
    values["env"]["out_root"] = resolved.run.env.out_root
    for name, role in resolved.roles.items():
        values["model"][name] |= _secrets(role.settings.model_dump(mode="json"))
    values["env"] |= _secrets(resolved.env.model_dump(mode="json"))
    return values


def origin_rows(resolved: Resolved) -> list[tuple[str, str, str]]:
    """Return (key, value, place) for every value that is in force."""
    rows = []
    for key, value in _leaves(shown(resolved)):
        text = value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)
        rows.append((key, text, _place(key, resolved.origins)))
    return rows


def _place(key: str, origins: Mapping[str, str]) -> str:
    """Return where *key* was set: under its own name, the flat name of a role's key, or the key that holds it."""
    section, _, rest = key.partition(".")
    names = [key, f"{section}.{rest.replace('.', '_', 1)}", f"{section}.{rest.partition('.')[0]}"]
    return next((origins[name] for name in names if name in origins), "default")


def _secrets(settings: Mapping[str, Any]) -> dict[str, str]:
    return {key: HIDDEN for key, value in settings.items() if is_secret(key) and value}


def _leaves(values: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in values.items():
        if isinstance(value, dict) and value:
            yield from _leaves(value, f"{above}{key}.")
        else:
            yield f"{above}{key}", value

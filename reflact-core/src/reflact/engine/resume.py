"""Write down a configuration so that the run can go on without the file it came from, and read it again."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reflact.config import Resolved, resolve
from reflact.config.flat import ENGINE_KEYS, top_level
from reflact.config.run import SECTIONS
from reflact.config.secret import is_secret
from reflact.errors import RunError
from reflact.plugins import Plugins
from reflact.store.files import read

FILE = "run_config.json"


def nested(resolved: Resolved) -> dict[str, Any]:
    """Return *resolved* in the shape of a configuration file, without secrets: keys come from the environment again."""
    values = top_level(resolved.run)
    for name in SECTIONS:
        values[name] = getattr(resolved.run, name).model_dump(mode="json")
    values["model"] = {key: values["model"][key] for key in ENGINE_KEYS}
    for role_name, role in resolved.roles.items():
        values["model"][role_name] = {
            "backend": role.backend,
            **role.settings.model_dump(mode="json"),
            **role.limits.model_dump(mode="json"),
        }
    values["env"] |= resolved.env.model_dump(mode="json")
    values["env"]["out_root"] = ""
    return _open(values)


def reload(out_root: Path, plugins: Plugins) -> Resolved:
    """Return the configuration of the run in *out_root*. Raises `RunError` when there is none."""
    file = out_root / FILE
    if not file.is_file():
        raise RunError(f"{out_root} holds no run to resume ({FILE} is not there)")
    return resolve(json.loads(read(file)), plugins=plugins)


def _open(values: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: _open(value) if isinstance(value, dict) else value
        for key, value in values.items()
        if not is_secret(key) and value is not None
    }

"""Write down a configuration so that the run can go on without the file it came from, and read it again."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from reflact.config import Resolved, load, resolve
from reflact.config.flat import ENGINE_KEYS, top_level
from reflact.config.run import SECTIONS
from reflact.config.secret import HIDDEN, is_secret, public
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


def reload(out_root: Path, plugins: Plugins, *, overrides: Sequence[str] = (), file: str = FILE) -> Resolved:
    """Return the configuration in *out_root*, kept as *file*, under *overrides*. Raises `RunError` without one."""
    kept = out_root / file
    if not kept.is_file():
        raise RunError(f"{out_root} holds no run to resume ({file} is not there)")
    return load(kept, overrides=overrides, plugins=plugins) if overrides else resolve(_read(kept), plugins=plugins)


def require_secrets(resolved: Resolved) -> None:
    """Raise `RunError` when a setting of *resolved* was hidden on its way to the disk: it has to be said again."""
    lost = [
        key for name, role in resolved.roles.items() for key in _hidden(f"model.{name}", role.settings.model_dump())
    ]
    if lost:
        again = " ".join(f"{key}=…" for key in lost)
        raise RunError(f"secrets are not kept with a run; say them again, or start it with its file: {again}")


def _read(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(read(file))
    return found


def _hidden(key: str, value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, one in value.items():
            yield from _hidden(f"{key}.{name}", one)
    text = value.get_secret_value() if isinstance(value, SecretStr) else value
    if isinstance(text, str) and HIDDEN in text:
        yield key


def _open(values: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: _open(value) if isinstance(value, dict) else public(value) if isinstance(value, str) else value
        for key, value in values.items()
        if not is_secret(key) and value is not None
    }

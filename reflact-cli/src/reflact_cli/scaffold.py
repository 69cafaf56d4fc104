"""Write a new package from the templates: file by file, with names filled in."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from reflact.errors import ConfigError, RunError

SUFFIX = ".txt"
"""What a template's name ends in, so that no tool takes it for code."""


@dataclass(frozen=True, slots=True)
class Scaffold:
    """What was written."""

    folder: Path
    module: Path
    config: Path
    files: tuple[Path, ...]


def scaffold(name: str, folder: Path | None, *, taken: Collection[str]) -> Scaffold:
    """Write the env package *name* to *folder* (`None`: `./reflact-env-NAME`).

    Raises `ConfigError` for a name that is *taken* or no name, `RunError` when the folder is not empty.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        close = re.sub(r"\W+", "_", name.strip().lower()).strip("_")
        hint = f", such as {close}" if re.fullmatch(r"[a-z][a-z0-9_]*", close) else ""
        raise ConfigError(f"{name!r} cannot name an env: lower-case letters, digits and _, a letter first{hint}")
    if name in taken:
        raise ConfigError(f"an env {name!r} is installed already; choose another name")
    words = names(name)
    root = folder or Path(words["__DIST__"])
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        raise RunError(f"{root} is not empty; choose another --dir, so that nothing is overwritten")
    written = []
    for path, template in _templates(files("reflact_cli") / "templates" / "env", ""):
        file = root / _filled(path.removesuffix(SUFFIX), words)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(_filled(template.read_text(encoding="utf-8"), words), encoding="utf-8")
        written.append(file)
    module = root / "src" / words["__MODULE__"] / "__init__.py"
    return Scaffold(root, module, root / "config.yaml", tuple(written))


def names(name: str) -> Mapping[str, str]:
    """Return what stands for each placeholder of the templates in the env *name*."""
    return {
        "__NAME__": name,
        "__DIST__": f"reflact-env-{name.replace('_', '-').strip('-')}",
        "__MODULE__": f"reflact_env_{name}",
        "__CLASS__": "".join(part.capitalize() for part in name.split("_")),
    }


def _templates(folder: Traversable, above: str) -> list[tuple[str, Traversable]]:
    found = []
    for entry in sorted(folder.iterdir(), key=lambda one: one.name):
        path = f"{above}{entry.name}"
        found += _templates(entry, f"{path}/") if entry.is_dir() else [(path, entry)]
    return found


def _filled(text: str, words: Mapping[str, str]) -> str:
    for placeholder, word in words.items():
        text = text.replace(placeholder, word)
    return text

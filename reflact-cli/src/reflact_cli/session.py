"""From the command line to plugins, a configuration and a folder; the same way for every command."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

import click
from reflact.config import Resolved, load
from reflact.plugins import Plugins
from reflact.store.files import in_use

from reflact_cli.arguments import Request

TRACES = frozenset({".lock", "calls.jsonl", "_generated_splits"})
"""What a start leaves in a folder before anything is decided."""


def load_plugins(files: Iterable[Path]) -> Plugins:
    """Return the installed plugins and those in *files*."""
    plugins = Plugins()
    for file in files:
        plugins.load_file(file)
    return plugins


def load_config(asked: Request, plugins: Plugins) -> Resolved:
    """Return the configuration that was *asked* for. Raises `click.UsageError` when nothing was."""
    if asked.config is None and not asked.overrides and not asked.flags:
        raise click.UsageError("no configuration; name a config file, or an env: env.name=qa env.data_path=items.jsonl")
    return load(asked.config, overrides=asked.overrides, flags=asked.flags, plugins=plugins)


def new_folder(what: str, env: str, model: str, now: datetime) -> Path:
    """Return a folder under `outputs/` that is not there yet, such as `outputs/reflact_qa_gpt-5.4_20250131_235959`."""
    name = "_".join([what, env, model.replace("/", "-").replace("\\", "-"), now.strftime("%Y%m%d_%H%M%S")])
    candidates = (Path("outputs") / (name if n == 1 else f"{name}_{n}") for n in range(1, 10**6))
    return next(folder for folder in candidates if not folder.exists())


@contextmanager
def tidied(folder: Path) -> Iterator[None]:
    """Take away again what the block has made in and around *folder* if nothing of worth is among it."""
    there = set(folder.iterdir()) if folder.is_dir() else set()
    made = [one for one in (folder, *folder.parents) if not one.exists()]
    try:
        yield
    finally:
        left = set(folder.iterdir()) - there if folder.is_dir() and not in_use(folder) else set()
        if not any(map(_of_worth, left)):
            _remove(left, made)


def model_name(resolved: Resolved, role: str) -> str:
    """Return the name of the model that plays *role*; its backend's where it has none."""
    played = next(one for name, one in resolved.roles.items() if name == role)
    return str(getattr(played.settings, "model", "") or played.backend)


def override(key: str, value: Path | str) -> str:
    """Return `key=value`, quoted so that the value is read as the text it is."""
    text = str(value).replace("'", "''")
    return f"{key}='{text}'"


def command_line(*words: str | Path, plugin_files: Sequence[Path] = ()) -> str:
    """Return *words* as a command to copy, with the plugin files it needs."""
    files = [word for file in plugin_files for word in ("--plugin", str(file))]
    return shlex.join(["reflact", *map(str, words), *files])


def _remove(traces: Iterable[Path], folders: Iterable[Path]) -> None:
    """Remove *traces*, and then those of *folders*, from the inmost outwards, that are empty."""
    for trace in traces:
        if trace.is_dir():
            shutil.rmtree(trace)
        else:
            trace.unlink(missing_ok=True)
    for folder in folders:
        with suppress(OSError):
            folder.rmdir()


def _of_worth(file: Path) -> bool:
    return file.name not in TRACES or (file.name == "calls.jsonl" and file.stat().st_size > 0)

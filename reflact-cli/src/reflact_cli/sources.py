"""What an env says of its data, and what to do about it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from reflact.config import SplitConfig
from reflact.data.manifest import is_dealt
from reflact.errors import ConfigError, DataError, RunError, unknown
from reflact.plugins import Plugins
from reflact.types import DataSource, DataSpec


def data_of(env: str, plugins: Plugins) -> DataSpec:
    """Return what *env* says of its data. Raises `ConfigError` when it says nothing."""
    spec = plugins.get("envs", env)
    data: DataSpec | None = spec.data
    if data is None:
        own = ": give your own as env.data_path or env.split_dir" if issubclass(spec.config, SplitConfig) else ""
        raise ConfigError(f"env {env!r} names no source of data{own}")
    return data


def told(spec: DataSpec) -> Iterator[str]:
    """Yield what there is to know before data are fetched."""
    for source in spec.sources:
        yield f"{source.name}" + (f" ({source.size})" if source.size else "")
        yield f"  from     {source.where}"
        yield f"  licence  {source.licence}"
        if source.terms:
            yield f"  first    {source.terms}"
    yield from spec.layout.splitlines()


def source_of(spec: DataSpec, name: str | None) -> DataSource:
    """Return the source called *name*, or the first. Raises `ConfigError` with the names there are."""
    found = {source.name: source for source in spec.sources}
    if name is None:
        return spec.sources[0]
    if name not in found:
        raise ConfigError(f"--source: {unknown('source', name, found)}")
    return found[name]


def rows_of(source: DataSource, place: Path | None) -> Iterator[Mapping[str, Any]]:
    """Return the records of *source*. Raises `DataError` when they can only be had by hand."""
    if source.rows is None:
        raise DataError(f"{source.name} cannot be fetched by a program: {source.terms or source.where}")
    return source.rows(place)


def empty(out: Path) -> None:
    """Raise `RunError` when something would be overwritten in *out*."""
    if (out.exists() and not out.is_dir()) or is_dealt(out):
        raise RunError(f"{out} is not empty; choose another --out, so that nothing is overwritten")


def write_rows(file: Path, rows: Iterable[Mapping[str, Any]]) -> int:
    """Write *rows* to *file*, one a line, and return how many; the file is there only when it is whole."""
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(f".{file.name}.part")
    n = 0
    try:
        with draft.open("w", encoding="utf-8", newline="\n") as stream:
            for row in rows:
                stream.write(json.dumps(row, ensure_ascii=False) + "\n")
                n += 1
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)
    return n

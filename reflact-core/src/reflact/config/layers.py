"""Configs in layers: files and what they inherit, then the command line; the later layer wins, key by key."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reflact.config.yaml import Document, Keys, read_file, read_text
from reflact.errors import ConfigError

COMMAND_LINE = "command line"


@dataclass(frozen=True, slots=True)
class Leaf:
    """A value with its place, the key as its author wrote it, and the rank of its layer (higher wins)."""

    value: Any
    place: str
    written: str
    rank: int = 0
    section_place: str = ""
    """Where the top-level key stands that holds this one."""


Layer = Mapping[Keys, Leaf]


def layer(data: Mapping[str, Any], *, place: str, lines: Mapping[Keys, int] | None = None, rank: int = 0) -> Layer:
    """Return the leaves of *data* by path; a list is a leaf, and so is an empty mapping."""
    leaves: dict[Keys, Leaf] = {}

    def where(keys: Keys) -> str:
        return place if lines is None else f"{place}:{lines[keys]}"

    def walk(values: Mapping[str, Any], above: Keys) -> None:
        for key, value in values.items():
            keys = (*above, str(key))
            if isinstance(value, Mapping) and value:
                walk(value, keys)
            else:
                leaves[keys] = Leaf(value, where(keys), ".".join(keys), rank, where(keys[:1]))

    walk(data, ())
    return leaves


def file_layers(path: Path) -> list[Layer]:
    """Return the layers of *path*, what it inherits first. Raises `ConfigError` for a missing file or a circle."""
    return [
        layer({k: v for k, v in (doc.value or {}).items() if k != "_base_"}, place=name, lines=doc.lines, rank=rank)
        for rank, (name, doc) in enumerate(_inherited(path, name=os.path.normpath(path), above=()))
    ]


def override_layer(text: str, *, rank: int) -> Layer:
    """Return the layer of one `section.key=value`; the value is read as YAML, an empty one is the empty text."""
    key, equals, value = text.partition("=")
    key = key.strip()
    if not equals or not all(part.strip() for part in key.split(".")):
        raise ConfigError(f"{COMMAND_LINE}: {text!r} is not an override; write section.key=value")
    if key == "_base_":
        raise ConfigError(f"{COMMAND_LINE}: _base_ belongs in a file; give the config file itself")
    return layer(_nested(tuple(key.split(".")), scalar(key, value)), place=COMMAND_LINE, rank=rank)


def scalar(key: str, text: str) -> Any:
    """Return the YAML value of *text* given for *key* on the command line. Raises `ConfigError`."""
    if not text.strip():
        return ""
    try:
        return read_text(text, name=f"{COMMAND_LINE}: {key}").value
    except ConfigError as error:
        raise ConfigError(f"{error} (got {text!r}); put it in quotes to have it as text") from None


def merge(layers: Iterable[Layer]) -> dict[Keys, Leaf]:
    """Return the layers laid over each other: mappings are merged, everything else is replaced by the later layer."""
    merged: dict[Keys, Leaf] = {}
    for one in layers:
        for keys, leaf in one.items():
            if leaf.value == {} and any(other[: len(keys)] == keys for other in merged):
                continue
            for other in [other for other in merged if other[: len(keys)] == keys or keys[: len(other)] == other]:
                del merged[other]
            merged[keys] = leaf
    return merged


def below(merged: Layer, *above: str) -> dict[Keys, Leaf]:
    """Return the part of *merged* that lies below the path *above*, with paths relative to it."""
    depth = len(above)
    return {keys[depth:]: leaf for keys, leaf in merged.items() if keys[:depth] == above and len(keys) > depth}


def nest(leaves: Layer) -> dict[str, Any]:
    """Return the leaves as nested mappings."""
    nested: dict[str, Any] = {}
    for keys, leaf in leaves.items():
        inner = nested
        for key in keys[:-1]:
            inner = inner.setdefault(key, {})
        inner[keys[-1]] = leaf.value
    return nested


def _inherited(path: Path, *, name: str, above: Sequence[str]) -> list[tuple[str, Document]]:
    if name in above:
        raise ConfigError(f"{above[-1]}: _base_ goes in a circle: {' -> '.join([*above, name])}")
    document = read_file(path, name=name)
    found: list[tuple[str, Document]] = []
    for base in _bases(document, name):
        file = path.parent / base
        if not file.is_file():
            line = document.lines[("_base_",)]
            raise ConfigError(f"{name}:{line}: _base_: no file at {os.path.normpath(file)} (relative to this config)")
        found += _inherited(file, name=os.path.normpath(file), above=[*above, name])
    return [*found, (name, document)]


def _bases(document: Document, name: str) -> list[str]:
    bases = (document.value or {}).get("_base_", [])
    bases = [bases] if isinstance(bases, str) else bases
    if not isinstance(bases, list) or not all(isinstance(base, str) and base for base in bases):
        raise ConfigError(f"{name}:{document.lines[('_base_',)]}: _base_ is a path or a list of paths (got {bases!r})")
    return bases


def _nested(keys: Keys, value: Any) -> dict[str, Any]:
    head, *rest = keys
    return {head.strip(): _nested(tuple(rest), value) if rest else value}

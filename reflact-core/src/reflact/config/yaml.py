"""Read YAML 1.2 strictly and remember where every key stands; PyYAML alone would turn `2:1:7` into 7267."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from reflact.errors import ConfigError

Keys = tuple[str, ...]
MAX_NODES = 100_000
MAX_DEPTH = 50


class WrittenInt(int):
    """An integer that remembers its spelling, for fields that turn out to be text."""

    text: str


class WrittenFloat(float):
    """A float that remembers its spelling, for fields that turn out to be text."""

    text: str


@dataclass(frozen=True, slots=True)
class Document:
    """A YAML document: its value, and the line of every mapping key by its path."""

    value: Any
    lines: Mapping[Keys, int]


def _resolvers() -> dict[str, list[tuple[str, re.Pattern[str]]]]:
    table: dict[str, list[tuple[str, re.Pattern[str]]]] = {}
    for tag, firsts, pattern in (
        ("null", ["~", "n", "N", ""], r"~|null|Null|NULL|"),
        ("bool", list("tTfF"), r"true|True|TRUE|false|False|FALSE"),
        ("int", list("+-0123456789"), r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+"),
        ("float", list("+-.0123456789"), r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"),
        ("float", list("+-."), r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"),
    ):
        for first in firsts:
            table.setdefault(first, []).append((f"tag:yaml.org,2002:{tag}", re.compile(f"(?:{pattern})\\Z")))
    return table


class _Loader(yaml.SafeLoader):
    yaml_implicit_resolvers = _resolvers()


def read_file(path: Path, *, name: str = "") -> Document:
    """Return the document in *path*. Raises `ConfigError` with the place when it is missing or not strict YAML."""
    name = name or str(path)
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise ConfigError(f"no config file at {name}") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{name}: not UTF-8 (byte {error.start}); save the file as UTF-8") from None
    except OSError as error:
        raise ConfigError(f"{name}: cannot be read: {error.strerror}") from None
    document = read_text(text, name=name)
    if not isinstance(document.value, dict | None):
        raise ConfigError(f"{name}:1: a config is a mapping of sections, not a {type(document.value).__name__}")
    return document


def read_text(text: str, *, name: str) -> Document:
    """Return the document in *text*; *name* is what errors call it. Raises `ConfigError`."""
    try:
        root = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"{name}:{mark.line + 1}" if mark else name
        raise ConfigError(f"{where}: not valid YAML: {error.problem or error.context}") from None
    except yaml.YAMLError as error:
        raise ConfigError(f"{name}: not valid YAML: {str(error).splitlines()[0]}") from None
    except RecursionError:
        raise ConfigError(f"{name}: nested too deeply") from None
    builder = _Builder(name)
    return Document(None if root is None else builder.build(root, (), 0), builder.lines)


class _Builder:
    """Turn composed nodes into plain values, one document at a time."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.lines: dict[Keys, int] = {}
        self._count = 0

    def build(self, node: yaml.Node, at: Keys, depth: int) -> Any:
        self._count += 1
        if self._count > MAX_NODES or depth > MAX_DEPTH:
            raise self._error(node, "too large or nested too deeply")
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, at, depth)
        if isinstance(node, yaml.SequenceNode):
            self._plain(node, "seq")
            return [self.build(one, (*at, str(index)), depth + 1) for index, one in enumerate(node.value)]
        return self._scalar(node)

    def _mapping(self, node: yaml.MappingNode, at: Keys, depth: int) -> dict[str, Any]:
        self._plain(node, "map")
        values: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode) or not key_node.value:
                raise self._error(key_node, "a key must be a name")
            key = key_node.value
            path = (*at, key)
            if key in values:
                raise self._error(key_node, f"{'.'.join(path)} is given twice (first in line {self.lines[path]})")
            self.lines[path] = key_node.start_mark.line + 1
            values[key] = self.build(value_node, path, depth + 1)
        return values

    def _scalar(self, node: yaml.Node) -> Any:
        text = str(node.value)
        match node.tag.removeprefix("tag:yaml.org,2002:"):
            case "str" | "!":
                return text
            case "null":
                return None
            case "bool":
                return text.lower() == "true"
            case "int":
                return self._integer(node, text)
            case "float":
                number = WrittenFloat(text.lower().replace(".inf", "inf").replace(".nan", "nan"))
                number.text = text
                return number
            case tag:
                raise self._error(node, f"tag {tag!r} is not allowed here")

    def _integer(self, node: yaml.Node, text: str) -> WrittenInt:
        try:
            number = WrittenInt(text, {"0o": 8, "0x": 16}.get(text[:2], 10))
        except ValueError:
            raise self._error(node, f"{text[:20]}… is not a usable integer") from None
        number.text = text
        return number

    def _plain(self, node: yaml.Node, kind: str) -> None:
        if node.tag != f"tag:yaml.org,2002:{kind}":
            raise self._error(node, f"tag {node.tag!r} is not allowed here")

    def _error(self, node: yaml.Node, reason: str) -> ConfigError:
        return ConfigError(f"{self.name}:{node.start_mark.line + 1}: {reason}")

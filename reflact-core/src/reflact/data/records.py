"""Raw records from JSON, JSONL, CSV, YAML, Excel and Parquet files, each with the place it came from."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from reflact.data.binary import parquet_rows, sheet_rows
from reflact.data.tables import csv_rows, yaml_items
from reflact.errors import DataError


@dataclass(frozen=True, slots=True)
class Record:
    """One raw item; `where` names its file and line (or its position), `fault` says why it cannot be read."""

    raw: Mapping[str, Any]
    where: str
    fault: str = ""


Reader = Callable[[Path], Sequence[Record]]
"""Gives the records of a file or a folder, those that cannot be read among them."""


def read(path: Path) -> list[Record]:
    """Return the records of *path*, a data file or a folder with exactly one.

    JSON and YAML may hold a list, `{"data": [...]}` or `{id: item}`. Values of CSV and YAML stay text, as written.
    Raises `DataError` with file and line for what cannot be read.
    """
    records = scan(path)
    for record in records:
        if record.fault:
            raise DataError(f"{record.where}: {record.fault}")
    return records


def scan(path: Path) -> list[Record]:
    """Return what `read` does, with the records that cannot be read among them: a line, a row, an entry of a list.

    Raises `DataError` for a file that cannot be read at all.
    """
    file = data_file(path)
    suffix = file.suffix.lower()
    if suffix in _TABLES:
        return [Record(row, where) for where, row in _TABLES[suffix](file)]
    return list(_READERS[suffix](file, _text(file)))


def data_file(path: Path) -> Path:
    """Return *path*, or the only data file in it when it is a folder; raises `DataError` for none or several."""
    if path.is_file():
        if path.suffix.lower() not in SUFFIXES:
            raise DataError(
                f"{path}: cannot read {path.suffix or 'a file without suffix'}; known: {' '.join(SUFFIXES)}"
            )
        return path
    if not path.is_dir():
        raise DataError(f"{path}: no such file or folder (looked at {path.absolute()})")
    found = sorted(
        one for one in path.iterdir() if one.suffix.lower() in SUFFIXES and not one.name.startswith((".", "~$"))
    )
    if not found:
        raise DataError(f"{path}: no data file here; one of {' '.join(SUFFIXES)} is needed")
    if len(found) > 1:
        raise DataError(f"{path}: {len(found)} data files ({', '.join(one.name for one in found)}); keep exactly one")
    return found[0]


def _text(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"{file}: not UTF-8 (byte {error.start}: {error.reason}); save it as UTF-8") from error


def _json(file: Path, text: str) -> Iterator[Record]:
    try:
        content = _decode(text)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data" and "\n" in text.strip():
            return _jsonl(file, text)
        raise DataError(f"{file}:{error.lineno}: not JSON: {error.msg} (column {error.colno})") from error
    except ValueError as error:
        raise DataError(f"{file}: {error}") from error
    return _items(file, content)


def _jsonl(file: Path, text: str) -> Iterator[Record]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        where = f"{file}:{number}"
        try:
            yield _record(_decode(line), where)
        except json.JSONDecodeError as error:
            yield Record({}, where, f"not JSON: {error.msg} (column {error.colno})")
        except ValueError as error:
            yield Record({}, where, str(error))


def _csv(file: Path, text: str) -> Iterator[Record]:
    return (Record(row, f"{file}:{line}", fault) for line, row, fault in csv_rows(file, text))


def _yaml(file: Path, text: str) -> Iterator[Record]:
    return _items(file, yaml_items(file, text))


def _items(file: Path, content: Any) -> Iterator[Record]:
    if isinstance(content, dict) and isinstance(content.get("data"), list):
        content = content["data"]
    if isinstance(content, list):
        for number, item in enumerate(content, start=1):
            yield _record(item, f"{file}: item {number}")
    elif isinstance(content, dict) and all(isinstance(item, dict) for item in content.values()):
        for key, item in content.items():
            yield Record({"id": str(key), **item}, f"{file}: item {key!r}")
    else:
        raise DataError(f'{file}: holds neither a list of items, nor {{"data": [...]}}, nor {{id: item}}')


def _record(item: Any, where: str) -> Record:
    if not isinstance(item, dict):
        return Record({}, where, f"an item must be an object with named fields, not {type(item).__name__}")
    return Record(item, where)


def _decode(text: str) -> Any:
    return json.loads(text, parse_constant=_refuse)


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number; quote it or leave it out")


_READERS: Mapping[str, Callable[[Path, str], Iterator[Record]]] = {
    ".json": _json,
    ".jsonl": _jsonl,
    ".ndjson": _jsonl,
    ".csv": _csv,
    ".tsv": _csv,
    ".yaml": _yaml,
    ".yml": _yaml,
}
_TABLES: Mapping[str, Callable[[Path], Iterator[tuple[str, Mapping[str, Any]]]]] = {
    ".xlsx": sheet_rows,
    ".parquet": parquet_rows,
}
SUFFIXES = (*_READERS, *_TABLES)

"""CSV rows and YAML items, with every value left as the text it was written as."""

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from reflact.errors import DataError

_LONGEST_FIELD = 2**31 - 1


def csv_rows(file: Path, text: str) -> Iterator[tuple[int, dict[str, str], str]]:
    """Yield (first line, row, fault) for each row of *text*; the first row names the columns, a fault has no row.

    The separator is a tab in a `.tsv`, a semicolon where the first line has semicolons and no comma, else a comma.
    Raises `DataError` with file and line.
    """
    head = text.partition("\n")[0]
    separator = "\t" if file.suffix.lower() == ".tsv" else ";" if ";" in head and "," not in head else ","
    csv.field_size_limit(_LONGEST_FIELD)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    columns: list[str] = []
    line = 1
    try:
        for row in reader:
            if row and not columns:
                columns = _columns(file, row)
            elif row and len(row) != len(columns):
                yield line, {}, f"{len(row)} fields, but the first line names {len(columns)}"
            elif row:
                yield line, dict(zip(columns, row, strict=True)), ""
            line = reader.line_num + 1
    except csv.Error as error:
        raise DataError(f"{file}:{line}: not CSV: {error}") from error


def _columns(file: Path, row: list[str]) -> list[str]:
    columns = [name.strip() for name in row]
    if not all(columns) or len(set(columns)) < len(columns):
        raise DataError(
            f"{file}:1: the first line must name every column, each once; it has {', '.join(columns) or 'none'}"
        )
    return columns


class _TextLoader(yaml.SafeLoader):
    """Resolves nothing but null: `no`, `1:30`, `007` and dates are answers, not booleans, seconds and octals."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012


_TextLoader.add_implicit_resolver("tag:yaml.org,2002:null", re.compile(r"(~|null|Null|NULL|)$"), ["~", "n", "N", ""])


def yaml_items(file: Path, text: str) -> Any:
    """Return what the YAML *text* holds, scalars as text; raises `DataError` with file and line."""
    try:
        return yaml.load(text, Loader=_TextLoader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise DataError(f"{file}:{line}: not YAML: {error.problem}") from error
    except yaml.YAMLError as error:
        raise DataError(f"{file}: not YAML: {error}") from error

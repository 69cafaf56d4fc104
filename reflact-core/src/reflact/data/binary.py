"""Rows of Excel and Parquet files. Their libraries are imported only when there is such a file to read."""

from base64 import b64encode
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any
from zipfile import BadZipFile

from reflact.errors import DataError

Rows = Iterator[tuple[str, Mapping[str, Any]]]


def sheet_rows(file: Path) -> Rows:
    """Yield (place, row) for each row of the only sheet with cells in it; the first row names the columns.

    Numbers stay numbers, dates become ISO text, formulas are what they last came to, empty cells None. Raises
    `DataError` for several sheets, unnamed columns, a file that is no workbook, or without the library openpyxl.
    """
    openpyxl = _library("openpyxl", file, extra="xlsx")
    try:
        book = openpyxl.load_workbook(file, read_only=True, data_only=True)
    except (BadZipFile, KeyError, OSError, ValueError) as error:
        raise DataError(f"{file}: no Excel workbook (.xlsx) that can be read: {error}") from error
    try:
        sheets = {sheet.title: list(sheet.iter_rows(values_only=True)) for sheet in book.worksheets}
    finally:
        book.close()
    used = {title: rows for title, rows in sheets.items() if any(map(_filled, rows))}
    if len(used) != 1:
        raise DataError(f"{file}: {len(used)} sheets hold cells ({', '.join(used) or 'none'}); keep exactly one")
    numbered = [(number, row) for rows in used.values() for number, row in enumerate(rows, start=1) if _filled(row)]
    (first, names), *rest = numbered
    columns = [str(name).strip() for name in names if name is not None]
    if len(columns) < len(_trimmed(names)) or len(set(columns)) < len(columns):
        raise DataError(f"{file}:{first}: the first row must name every column, each once; it has {', '.join(columns)}")
    for number, row in rest:
        if len(_trimmed(row)) > len(columns):
            raise DataError(f"{file}:{number}: {len(_trimmed(row))} cells, but the first row names {len(columns)}")
        cells = (*row, *[None] * len(columns))
        yield f"{file}:{number}", {name: _plain(cell) for name, cell in zip(columns, cells, strict=False)}


def parquet_rows(file: Path) -> Rows:
    """Yield (place, row) for each row. Raises `DataError` when it cannot be read, or without the library pyarrow."""
    pyarrow = _library("pyarrow", file, extra="parquet")
    try:
        rows = import_module("pyarrow.parquet").read_table(file).to_pylist()
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise DataError(f"{file}: no Parquet file that can be read: {error}") from error
    return ((f"{file}: row {number}", _plain(row)) for number, row in enumerate(rows, start=1))


def _library(name: str, file: Path, *, extra: str) -> ModuleType:
    try:
        return import_module(name)
    except ImportError as error:
        needed = (
            f'{file}: needs the library {name}: pip install "reflact-core[{extra}]", or save the data as JSONL or CSV'
        )
        raise DataError(needed) from error


def _filled(row: tuple[Any, ...]) -> bool:
    return any(cell is not None for cell in row)


def _trimmed(row: tuple[Any, ...]) -> tuple[Any, ...]:
    last = max((place for place, cell in enumerate(row, start=1) if cell is not None), default=0)
    return row[:last]


def _plain(value: Any) -> Any:
    """Return *value* with what JSON has no form for as text: dates and times in ISO form, decimals as written,
    bytes (an image in its record, say) in base64."""
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, bytes):
        return b64encode(value).decode("ascii")
    return str(value) if isinstance(value, Decimal) else value

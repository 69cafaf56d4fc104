"""Where the data of an env come from, as its package tells."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSource:
    """Data an env can be run on: what they are, on what terms, and where they come from. None are ever bundled."""

    name: str
    licence: str
    """Under which licence they are published, or that none is known."""
    where: str
    """An address, or a data set and its revision."""
    size: str = ""
    terms: str = ""
    """What has to be done or accepted first, by hand."""
    rows: Callable[[Path | None], Iterator[Mapping[str, Any]]] | None = None
    """`rows(place)` yields the records, each with its `id`, from a local copy at *place*, else from the net; one that
    has to be got by hand raises `DataError` without a place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSpec:
    """Where data for an env come from, for `reflact data`."""

    sources: tuple[DataSource, ...]
    layout: str
    """What the env reads and where it looks for it, in a few lines."""

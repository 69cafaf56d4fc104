"""Rows of a public data set, through the library `datasets`, one by one and without holding it in memory."""

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from reflact.errors import DataError


def hub_rows(
    name: str,
    *,
    revision: str,
    parts: Sequence[str],
    place: Path | None,
    extra: str,
    subset: str | None = None,
    images: Sequence[str] = (),
) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of the *parts* of the data set *name* at *revision*, or of a copy of it in the folder *place*.

    *subset* is the configuration of a data set that has several. The columns *images* are left encoded, as
    `{"bytes": …, "path": …}`. Raises `DataError` when the library is missing (*extra* is what to install) or the data
    cannot be had.
    """
    try:
        datasets = import_module("datasets")
    except ImportError as error:
        raise DataError(f'needs the library datasets: pip install "{extra}"') from error
    source, fixed, chosen = (name, revision, subset) if place is None else (str(place), None, None)
    for part in parts:
        try:
            rows = datasets.load_dataset(source, chosen, split=part, revision=fixed, streaming=True)
            for column in images:
                rows = rows.cast_column(column, datasets.Image(decode=False))
            yield from rows
        except (OSError, ValueError, RuntimeError) as error:
            reason = f"{type(error).__name__}: {error}".splitlines()[0]
            where = f"{name} at revision {revision}" if place is None else str(place)
            mend = "no network? Fetch it elsewhere and name the folder with --from" if place is None else "is it whole?"
            raise DataError(f"{where}: its part {part!r} cannot be read ({reason}); {mend}") from error

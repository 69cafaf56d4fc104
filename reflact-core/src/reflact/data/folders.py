"""Prepared splits: a folder with train, val and test, each a folder with one data file, or a data file itself."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from reflact.data import manifest
from reflact.data.items import Item, Parse, hashes, parsed
from reflact.data.ratio import SPLITS
from reflact.data.records import SUFFIXES, Reader, data_file, scan
from reflact.errors import DataError
from reflact.types import Split


def read_split(
    folder: Path, parse: Parse, *, bad: Literal["refuse", "skip"] = "refuse", reader: Reader = scan
) -> Mapping[Split, tuple[Item, ...]]:
    """Return the items of a prepared split; a manifest in *folder* must agree with them.

    Raises `DataError` for a missing or ambiguous part, an unusable record, or a manifest that tells otherwise.
    """
    if not folder.is_dir():
        raise DataError(
            f"env.split_dir {folder}: no such folder (looked at {folder.absolute()}); "
            "it must hold train, val and test, each a folder with one data file"
        )
    found = {split: _part(folder, split) for split in SPLITS}
    parts = {split: data_file(part) for split, part in found.items()} if reader is scan else found
    items = {split: parsed(reader(part), parse, part, bad=bad) for split, part in parts.items()}
    manifest.check_items(folder, {split: hashes(part) for split, part in items.items()})
    return items


def _part(folder: Path, split: Split) -> Path:
    found = [one for one in (folder / split, *(folder / f"{split}{suffix}" for suffix in SUFFIXES)) if one.exists()]
    if not found:
        there = ", ".join(sorted(one.name for one in folder.iterdir())) or "nothing"
        raise DataError(f"{folder}: no {split} split; it must hold {', '.join(SPLITS)}, but holds {there}")
    if len(found) > 1:
        names = " and ".join(one.name for one in found)
        raise DataError(f"{folder}: {names} could each be the {split} split; keep one")
    return found[0]

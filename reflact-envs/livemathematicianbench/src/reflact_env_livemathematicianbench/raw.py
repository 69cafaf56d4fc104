"""The raw files, month by month, and what is left out of them before a split is dealt."""

import re
import warnings
from collections.abc import Sequence
from pathlib import Path

from reflact import DataError
from reflact.data.records import Record, scan

from reflact_env_livemathematicianbench.item import is_meta, normalized, refers_to_labels

PATTERN = "qa_*_final.json"


def read_records(path: Path, *, exclude_meta: bool) -> Sequence[Record]:
    """Return the normalised records of *path*: a file, or a folder with `qa_<YYYYMM>_final.json` at any depth.

    Records that are already normalised come back as they are. With *exclude_meta*, those with a meta-option are left
    out; those whose choices refer to one another keep their order, or are left out with a warning where the right
    choice has the same label in all of the data, so that its place would give it away.
    """
    files = sorted(path.rglob(PATTERN)) if path.is_dir() else []
    found = [_normalized(record, file) for file in files or [path] for record in scan(file)]
    usable = [one for one in found if one.fault or not (exclude_meta and _has_meta(one))]
    labels = {one.raw["correct_choice"]["label"] for one in usable if not one.fault}
    kept = [_fixed(one) for one in usable if len(labels) > 1 or not _is_tied(one)]
    if len(kept) < len(usable):
        gone = [one.where for one in usable if len(labels) == 1 and _is_tied(one)]
        told = f"{path}: {len(gone)} items are left out, whose choices refer to one another and whose right choice is"
        warnings.warn(f"{told} always {labels.pop()}: {', '.join(gone[:3])}", RuntimeWarning, stacklevel=2)
    return kept


def month_of(file: Path) -> str:
    """Return the month a file is of: six digits in its name, else in that of its folder, else nothing."""
    for name in (file.name, file.parent.name):
        if found := re.search(r"(?<!\d)(20\d{2}(?:0[1-9]|1[0-2]))(?!\d)", name):
            return found[1]
    return ""


def _normalized(record: Record, file: Path) -> Record:
    if record.fault:
        return record
    try:
        return Record(normalized(record.raw, month=month_of(file), source=file.name), record.where)
    except DataError as error:
        return Record({}, record.where, str(error))


def _has_meta(record: Record) -> bool:
    return any(is_meta(choice["text"]) for choice in record.raw["choices"])


def _is_tied(record: Record) -> bool:
    """Return whether the choices of a record refer to one another, and nobody has decided about it yet."""
    if record.fault or "fixed_order" in record.raw:
        return False
    return refers_to_labels([choice["text"] for choice in record.raw["choices"]])


def _fixed(record: Record) -> Record:
    return Record({**record.raw, "fixed_order": True}, record.where) if _is_tied(record) else record

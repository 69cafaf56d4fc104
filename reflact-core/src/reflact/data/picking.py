"""A prepared split out of a stream of records, too long for memory: the listed ids, or a random draw."""

import heapq
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

from reflact.data.ratio import SPLITS
from reflact.errors import DataError
from reflact.types import Split

Rows = Iterable[Mapping[str, Any]]
Picked = Mapping[Split, list[dict[str, Any]]]


def listed(rows: Rows, ids: Mapping[Split, Sequence[str]]) -> Picked:
    """Return the records of *rows* by split, in the order of *ids*; raises `DataError` for ids twice or not there."""
    wanted = list(chain.from_iterable(ids[split] for split in SPLITS))
    twice = sorted({one for one in wanted if wanted.count(one) > 1}) if len(set(wanted)) < len(wanted) else []
    if twice:
        raise DataError(f"{len(twice)} ids are listed twice, first {', '.join(twice[:3])}")
    needed = set(wanted)
    found = {str(row["id"]): dict(row) for row in rows if str(row["id"]) in needed}
    missing = [one for one in wanted if one not in found]
    if missing:
        raise DataError(f"{len(missing)} of {len(wanted)} ids are not in the data, first {', '.join(missing[:3])}")
    return {split: [found[one] for one in ids[split]] for split in SPLITS}


def drawn(rows: Rows, sizes: Mapping[Split, int], seed: int) -> Picked:
    """Return a random choice of *rows* of the given *sizes*, which depends on ids and *seed*, not on their order."""
    total = sum(sizes.values())
    unique: dict[str, dict[str, Any]] = {}
    for row in heapq.nsmallest(2 * total, rows, key=lambda row: _rank(str(row["id"]), seed)):
        unique.setdefault(str(row["id"]), dict(row))
    chosen = sorted(unique, key=lambda one: _rank(one, seed))[:total]
    if len(chosen) < total:
        raise DataError(f"the data hold {len(chosen)} items, but {total} are wanted")
    parts = iter(chosen)
    return {split: [unique[next(parts)] for _ in range(sizes[split])] for split in SPLITS}


def read_ids(folder: Path) -> Mapping[Split, Sequence[str]]:
    """Return the ids in `train.txt`, `val.txt` and `test.txt` of *folder*, one a line."""
    try:
        texts = {split: (folder / f"{split}.txt").read_text(encoding="utf-8-sig") for split in SPLITS}
    except OSError as error:
        raise DataError(f"{error.filename}: {error.strerror}; --ids needs train.txt, val.txt and test.txt") from error
    return {split: texts[split].split() for split in SPLITS}


def read_sizes(text: str) -> Mapping[Split, int]:
    """Return the sizes that *text* gives, such as `400:200:1400`; raises `DataError` for anything else."""
    parts = text.split(":")
    if len(parts) != len(SPLITS) or not all(part.isdecimal() and int(part) for part in parts):
        raise DataError(f"--sizes {text} must be three positive numbers, such as 400:200:1400")
    return dict(zip(SPLITS, map(int, parts), strict=True))


def _rank(key: str, seed: int) -> str:
    return sha256(f"{seed}:{key}".encode()).hexdigest()

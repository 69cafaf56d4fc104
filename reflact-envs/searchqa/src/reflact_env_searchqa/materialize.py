"""`python -m reflact_env_searchqa.materialize`: a prepared split of the public SearchQA data."""

import argparse
import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any

from reflact import DataError, ReflactError, Split
from reflact.data.manifest import is_dealt, write_split

SOURCE = "lucadiliello/searchqa"
REVISION = "c1a979068ba118d85467179b704031d113d689cc"
SPLITS: tuple[Split, ...] = ("train", "val", "test")

Rows = Iterable[Mapping[str, Any]]
Picked = Mapping[Split, list[dict[str, Any]]]


def listed(rows: Rows, ids: Mapping[Split, Sequence[str]]) -> Picked:
    """Return the records of *rows* by split, in the order of *ids*; raises `DataError` for ids twice or not there."""
    wanted = list(chain.from_iterable(ids[split] for split in SPLITS))
    twice = sorted({one for one in wanted if wanted.count(one) > 1}) if len(set(wanted)) < len(wanted) else []
    if twice:
        raise DataError(f"{len(twice)} ids are listed twice, first {', '.join(twice[:3])}")
    needed = set(wanted)
    found = {row["key"]: _record(row) for row in rows if row["key"] in needed}
    missing = [one for one in wanted if one not in found]
    if missing:
        raise DataError(f"{len(missing)} of {len(wanted)} ids are not in the data, first {', '.join(missing[:3])}")
    return {split: [found[one] for one in ids[split]] for split in SPLITS}


def drawn(rows: Rows, sizes: Mapping[Split, int], seed: int) -> Picked:
    """Return a random choice of *rows* of the given *sizes*, which depends on keys and *seed*, not on their order."""
    total = sum(sizes.values())
    unique = {row["key"]: _record(row) for row in _smallest(rows, total, seed)}
    chosen = [unique[key] for key in sorted(unique, key=lambda key: _rank(key, seed))]
    if len(chosen) < total:
        raise DataError(f"the data hold {len(chosen)} items, but {total} are wanted")
    parts = iter(chosen)
    return {split: [next(parts) for _ in range(sizes[split])] for split in SPLITS}


def read_ids(folder: Path) -> Mapping[Split, Sequence[str]]:
    """Return the ids in `train.txt`, `val.txt` and `test.txt` of *folder*, one a line."""
    try:
        texts = {split: (folder / f"{split}.txt").read_text(encoding="utf-8-sig") for split in SPLITS}
    except OSError as error:
        raise DataError(f"{error.filename}: {error.strerror}; --ids needs train.txt, val.txt and test.txt") from error
    return {split: texts[split].split() for split in SPLITS}


def download(source: str, revision: str | None) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of the data set *source* one by one, without holding it in memory."""
    try:
        datasets = import_module("datasets")
    except ImportError as error:
        raise DataError('needs the library datasets: pip install "reflact-env-searchqa[materialize]"') from error
    for part in ("train", "validation"):
        yield from datasets.load_dataset(source, split=part, revision=revision, streaming=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Write a split as the command line *arguments* tell; exits with 2 and a message when it cannot."""
    parser = argparse.ArgumentParser(prog="python -m reflact_env_searchqa.materialize", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="the folder to write, empty or new")
    choice = parser.add_mutually_exclusive_group(required=True)
    choice.add_argument("--ids", type=Path, help="a folder with train.txt, val.txt, test.txt: the ids to take")
    choice.add_argument("--sizes", help="train:val:test, how many items to draw, such as 400:200:1400")
    parser.add_argument("--seed", type=int, default=42, help="for --sizes (default: 42)")
    parser.add_argument("--source", default=SOURCE, help=f"a data set or a local folder (default: {SOURCE})")
    parser.add_argument("--revision", help=f"of the data set (default: {REVISION})")
    given = parser.parse_args(arguments)
    revision = given.revision or (REVISION if given.source == SOURCE else None)
    try:
        picked = _picked(given, download(given.source, revision))
    except ReflactError as error:
        parser.error(str(error))
    counts = {split: len(items) for split, items in picked.items()}
    made_by = {"source_data_path": f"{given.source}@{revision or 'local'}", "split_mode": "split_dir", "counts": counts}
    write_split(given.out, picked, made_by)
    parser.exit(0, f"{given.out}: {', '.join(f'{n} {split}' for split, n in counts.items())}\n")


def _picked(given: argparse.Namespace, rows: Rows) -> Picked:
    if is_dealt(given.out):
        raise DataError(f"{given.out} is not empty")
    if given.ids:
        return listed(rows, read_ids(given.ids))
    parts = given.sizes.split(":")
    if len(parts) != len(SPLITS) or not all(part.isdecimal() and int(part) for part in parts):
        raise DataError(f"--sizes {given.sizes} must be three positive numbers, such as 400:200:1400")
    return drawn(rows, dict(zip(SPLITS, map(int, parts), strict=True)), given.seed)


def _smallest(rows: Rows, n: int, seed: int) -> list[Mapping[str, Any]]:
    return heapq.nsmallest(n, rows, key=lambda row: _rank(row["key"], seed))


def _rank(key: str, seed: int) -> str:
    return sha256(f"{seed}:{key}".encode()).hexdigest()


def _record(row: Mapping[str, Any]) -> dict[str, Any]:
    return {"id": row["key"], "question": row["question"], "context": row["context"], "answers": list(row["answers"])}


if __name__ == "__main__":
    main()

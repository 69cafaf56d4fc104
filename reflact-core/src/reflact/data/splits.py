"""Train, val and test tasks from data files: read, dealt, checked, told apart."""

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from reflact.config.split import SplitConfig
from reflact.data import manifest
from reflact.data.checks import check_splits
from reflact.data.folders import read_split
from reflact.data.ids import content_hash
from reflact.data.items import Item, Parse, field, hashes, parsed
from reflact.data.ratio import SPLITS, deal
from reflact.data.records import Reader, data_file, scan
from reflact.data.stable import deal_stable
from reflact.errors import ConfigError, DataError, unknown
from reflact.types import Split, Task

Splits = Mapping[Split, tuple[Task, ...]]
C = TypeVar("C", bound=SplitConfig)

_ALIASES: Mapping[str, Split] = {
    "train": "train",
    "val": "val",
    "valid": "val",
    "validation": "val",
    "dev": "val",
    "selection": "val",
    "valid_seen": "val",
    "test": "test",
    "valid_unseen": "test",
}


def split_name(name: str) -> Split:
    """Return the split that *name* means, aliases included; raises `ConfigError` with the known names."""
    try:
        return _ALIASES[name]
    except KeyError:
        raise ConfigError(unknown("split", name, _ALIASES)) from None


def load_splits(config: SplitConfig, parse: Parse, *, reader: Reader = scan) -> Splits:
    """Return the tasks of every split as *config* tells; *parse* makes one raw record a task, or raises `DataError`.

    In ratio mode the deal depends on the data file, the ratio and the seed alone. It is also written to
    `split_output_dir` where one is set; a folder already there is read if it was made the same way and refused if not.
    *reader* gives the records of `data_path`, or of one part of a prepared split; one that changes or leaves out
    records must let what it gave pass as it is. Raises `DataError` for records, ids or splits that cannot be used.
    """
    items = (_dealt if config.split_mode == "ratio" else _prepared)(config, parse, reader)
    splits = {split: tuple(item.task for item in items[split]) for split in SPLITS}
    check_splits(splits)
    return {split: tasks[: config.limit or None] for split, tasks in splits.items()}


def generated_under(config: C, *, out_root: Path, env: str) -> C:
    """Return *config* with the folder for what is dealt or found, inside *out_root*, filled in where it is left open.

    The engine builds an env from the result, so that a run keeps the split it was made with.
    """
    if config.split_mode == "split_dir" or config.split_output_dir:
        return config
    name = f"{env}_{config.split_ratio.replace(':', '-')}_seed{config.split_seed}"
    return config.model_copy(update={"split_output_dir": str(out_root / "_generated_splits" / name)})


def fingerprint(splits: Splits) -> dict[str, dict[str, int | str]]:
    """Return, by split, the number of tasks `n` and a `sha256` over their ids and contents, in order."""
    return {
        split: {"n": len(tasks), "sha256": _digest(f"{task.id}\0{content_hash(task)}\n" for task in tasks)}
        for split, tasks in splits.items()
    }


def _prepared(config: SplitConfig, parse: Parse, reader: Reader) -> Mapping[Split, tuple[Item, ...]]:
    if not config.split_dir:
        raise DataError("env.split_dir is not set: name a folder with train, val and test, or use env.split_mode=ratio")
    return read_split(Path(config.split_dir), parse, bad=config.bad_records, reader=reader)


def _dealt(config: SplitConfig, parse: Parse, reader: Reader) -> Mapping[Split, tuple[Item, ...]]:
    if not config.data_path:
        raise DataError(
            "env.data_path is not set: name a .json, .jsonl, .csv, .yaml, .xlsx or .parquet file or a folder with one, "
            "or use prepared splits with env.split_mode=split_dir and env.split_dir"
        )
    source = Path(config.data_path)
    if all((source / split).is_dir() for split in SPLITS):
        raise DataError(f"env.data_path {source} is a prepared split; use split_mode: split_dir, split_dir: {source}")
    file = data_file(source) if reader is scan else source
    items = parsed(reader(file), parse, file, bad=config.bad_records)
    try:
        splits = _deal(items, config)
    except DataError as error:
        told = str(error)
        raise DataError(told if told.startswith(str(file)) else f"{file}: {told}") from error
    if not config.split_output_dir:
        return splits
    content = file.read_bytes() if reader is scan else json.dumps(hashes(items), ensure_ascii=False).encode()
    return _kept(Path(config.split_output_dir), config, sha256(content).hexdigest(), splits, parse, reader)


def _deal(items: Sequence[Item], config: SplitConfig) -> Mapping[Split, tuple[Item, ...]]:
    ratio = dict(zip(SPLITS, config.shares, strict=True))
    group = field(config.group_by)
    if config.split_method == "hash":
        identity = (lambda item: str(group(item))) if group else (lambda item: content_hash(item.task))
        return deal_stable(items, ratio=ratio, seed=config.split_seed, identity=identity)
    return deal(items, ratio=ratio, seed=config.split_seed, group=group, stratum=field(config.stratify_by))


def _kept(
    folder: Path,
    config: SplitConfig,
    source: str,
    splits: Mapping[Split, tuple[Item, ...]],
    parse: Parse,
    reader: Reader,
) -> Mapping[Split, tuple[Item, ...]]:
    made_by = {
        "source_data_path": str(config.data_path),
        "source_sha256": source,
        "n_items": sum(map(len, splits.values())),
        "split_mode": "ratio",
        "split_ratio": config.split_ratio,
        "split_seed": config.split_seed,
        "split_method": config.split_method,
        "group_by": config.group_by,
        "stratify_by": config.stratify_by,
        "counts": {split: len(items) for split, items in splits.items()},
        "items": {split: hashes(items) for split, items in splits.items()},
    }
    if manifest.is_dealt(folder):
        manifest.check_made_by(folder, made_by)
        return read_split(folder, parse, reader=reader)
    check_splits({split: tuple(item.task for item in items) for split, items in splits.items()})
    manifest.write_split(folder, {split: [item.raw for item in items] for split, items in splits.items()}, made_by)
    return splits


def _digest(lines: Iterable[str]) -> str:
    return sha256("".join(lines).encode()).hexdigest()

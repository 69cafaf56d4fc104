"""The issues of every split: fetched or read, dealt by repository, kept where the run can find them again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from reflact import DataError, Split
from reflact.data import manifest
from reflact.data.checks import check_splits
from reflact.data.folders import read_split
from reflact.data.items import Item, hashes, parsed
from reflact.data.ratio import SPLITS
from reflact.data.records import Record, data_file, scan

from reflact_env_swebench.config import SWEBenchConfig
from reflact_env_swebench.item import to_task
from reflact_env_swebench.source import full_name, rows
from reflact_env_swebench.split import stratified

Items = Mapping[Split, tuple[Item, ...]]
OLD: Mapping[Split, str] = {"train": "train.json", "val": "selection.json", "test": "test.json"}
"""The files of splits made for earlier systems of this kind."""


def load(config: SWEBenchConfig) -> Items:
    """Return the items of every split. Raises `DataError` for data that cannot be used or had."""
    items = _dealt(config) if config.split_mode == "ratio" else _prepared(Path(config.split_dir), config)
    check_splits({split: tuple(item.task for item in found) for split, found in items.items()})
    return {split: found[: config.limit or None] for split, found in items.items()}


def _prepared(folder: Path, config: SWEBenchConfig) -> Items:
    for place in (folder / "split", folder):
        if (place / OLD["val"]).is_file():
            return {split: _read(place / name, config) for split, name in OLD.items()}
    return read_split(folder, to_task, bad=config.bad_records)


def _read(file: Path, config: SWEBenchConfig) -> tuple[Item, ...]:
    return parsed(scan(file), to_task, file, bad=config.bad_records)


def _dealt(config: SWEBenchConfig) -> Items:
    folder = Path(config.split_output_dir) if config.split_output_dir else None
    made_by = provenance(config)
    if folder and manifest.is_dealt(folder):
        found = manifest.read_manifest(folder) or {}
        manifest.check_made_by(folder, {**made_by, "n_items": found.get("n_items")})
        return read_split(folder, to_task)
    items = _items(config)
    splits = stratified(items, repo=lambda one: one.task.kind, shares=config.shares, seed=config.split_seed)
    check_splits({split: tuple(item.task for item in found) for split, found in splits.items()})
    if folder:
        counted = {
            "n_items": len(items),
            "counts": {split: len(splits[split]) for split in SPLITS},
            "items": {split: hashes(splits[split]) for split in SPLITS},
        }
        manifest.write_split(folder, {split: [one.raw for one in splits[split]] for split in SPLITS}, made_by | counted)
    return splits


def _items(config: SWEBenchConfig) -> Sequence[Item]:
    if config.data_path:
        return _read(data_file(Path(config.data_path)), config)
    name = full_name(config.dataset_name)
    found = rows(None, name=name, revision=config.dataset_revision, part=config.hf_split)
    records = [Record(raw, f"{name}: item {number}") for number, raw in enumerate(found, start=1)]
    if not records:
        raise DataError(f"env.dataset_name {name}: its part {config.hf_split!r} is empty")
    return parsed(records, to_task, Path(name), bad=config.bad_records)


def provenance(config: SWEBenchConfig) -> dict[str, Any]:
    """Return what the deal depends on. A data set is told by its name and revision: a resumed run fetches nothing."""
    name = f"{full_name(config.dataset_name)}@{config.dataset_revision}:{config.hf_split}"
    content = data_file(Path(config.data_path)).read_bytes() if config.data_path else name.encode()
    return {
        "source_data_path": config.data_path or name,
        "source_sha256": sha256(content).hexdigest(),
        "split_mode": "ratio",
        "split_ratio": config.split_ratio,
        "split_seed": config.split_seed,
        "split_method": config.split_method,
        "strategy": "stratified_by_repo",
        "group_by": config.group_by,
        "stratify_by": config.stratify_by,
        "dataset_name": config.dataset_name,
        "hf_split": config.hf_split,
    }

"""A dealt split on disk: `train|val|test/items.json` and the manifest that says how it was made."""

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from reflact.data.ratio import SPLITS
from reflact.errors import DataError
from reflact.types import Split

NAME = "split_manifest.json"
_MADE_BY = ("source_sha256", "n_items", "split_ratio", "split_seed", "split_method", "group_by", "stratify_by")


def write_split(folder: Path, items: Mapping[Split, Sequence[Mapping[str, Any]]], made_by: Mapping[str, Any]) -> None:
    """Write raw *items* by split and a manifest of *made_by* to *folder*, whole or not at all."""
    draft = folder.with_name(f".{folder.name}.{os.getpid()}")
    shutil.rmtree(draft, ignore_errors=True)
    for split in SPLITS:
        (draft / split).mkdir(parents=True)
        _dump(draft / split / "items.json", list(items[split]))
    _dump(draft / NAME, {**made_by, "tool_version": version("reflact-core")})
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
    try:
        draft.rename(folder)
    except OSError:
        shutil.rmtree(draft)
        check_made_by(folder, made_by)


def is_dealt(folder: Path) -> bool:
    """Return whether *folder* holds anything that a new deal would overwrite."""
    return folder.is_dir() and any(folder.iterdir())


def check_made_by(folder: Path, made_by: Mapping[str, Any]) -> None:
    """Raise `DataError` when the split in *folder* was not made in the way *made_by* tells."""
    found = read_manifest(folder)
    if found is None:
        raise DataError(f"{folder}: not empty and without {NAME}; choose another env.split_output_dir or empty it")
    changed = [
        f"{key}: was {_short(found.get(key))}, is {_short(made_by[key])}"
        for key in _MADE_BY
        if found.get(key) != made_by[key]
    ]
    if changed:
        raise DataError(
            f"{folder}: this split was dealt from {found.get('source_data_path')} in another way "
            f"({'; '.join(changed)}). Delete the folder to deal anew, choose another env.split_output_dir, "
            "or keep the split with split_mode: split_dir"
        )


def check_items(folder: Path, hashes: Mapping[Split, Mapping[str, str]]) -> None:
    """Raise `DataError` when the manifest in *folder*, if any, tells of other items than *hashes*, by split and id."""
    manifest = read_manifest(folder) or {}
    for split in SPLITS:
        told, found = (manifest.get("counts") or {}).get(split), len(hashes[split])
        if told is not None and told != found:
            raise DataError(f"{folder}: {NAME} tells of {told} {split} items, but there are {found}; {_MEND}")
        listed = (manifest.get("items") or {}).get(split)
        if listed is not None and listed != hashes[split]:
            other = sorted(set(listed.items()) ^ set(hashes[split].items()))[0][0]
            raise DataError(f"{folder}: {split} item {other!r} is not as {NAME} has it; {_MEND}")


_MEND = f"deal the split anew, or delete {NAME} if the items were changed on purpose"


def read_manifest(folder: Path) -> dict[str, Any] | None:
    """Return the manifest in *folder*, or None when there is none."""
    try:
        manifest = json.loads((folder / NAME).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise DataError(f"{folder / NAME}: not JSON: {error}") from error
    if not isinstance(manifest, dict):
        raise DataError(f"{folder / NAME}: must hold a JSON object")
    return manifest


def _dump(file: Path, value: Any) -> None:
    with file.open("w", encoding="utf-8", newline="\n") as stream:
        json.dump(value, stream, ensure_ascii=False, indent=1)
        stream.write("\n")


def _short(value: Any) -> str:
    return f"{value[:12]}…" if isinstance(value, str) and len(value) > 40 else repr(value)

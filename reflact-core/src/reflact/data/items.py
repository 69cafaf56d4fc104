"""Records and the tasks made of them, kept together until the split is settled."""

import json
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from reflact.data.records import Record
from reflact.errors import DataError
from reflact.types import Task

Parse = Callable[[Mapping[str, Any]], Task]


@dataclass(frozen=True, slots=True)
class Item:
    """A task and the record it came from."""

    task: Task
    record: Record

    @property
    def raw(self) -> dict[str, Any]:
        """The record as a generated split stores it: with an id, also where the source had none of that name."""
        return {"id": self.task.id, **self.record.raw}


def parsed(
    records: Iterable[Record], parse: Parse, file: Path, *, bad: Literal["refuse", "skip"] = "refuse"
) -> tuple[Item, ...]:
    """Return the items of *file*.

    Faulty records raise one `DataError` with their number and the first three; with *bad* `skip` the same is a
    warning, and the others are returned.
    """
    items: list[Item] = []
    faults: list[str] = []
    for record in records:
        try:
            if record.fault:
                raise DataError(record.fault)
            items.append(Item(parse(record.raw), record))
        except DataError as error:
            faults.append(f"{record.where}: {error}")
    if faults:
        total = len(items) + len(faults)
        more = f" … ({len(faults)} faulty records of {total})" if len(faults) > 1 else ""
        if bad == "refuse":
            raise DataError("; ".join(faults[:3]) + more)
        told = f"{file}: {len(faults)} of {total} records are skipped: {'; '.join(faults[:3])}"
        warnings.warn(told, RuntimeWarning, stacklevel=2)
    if not items:
        raise DataError(f"{file}: holds no items" + (" that can be used" if faults else ""))
    return tuple(items)


def hashes(items: Iterable[Item]) -> dict[str, str]:
    """Return the first 16 hex digits of the SHA-256 of each raw record, by task id."""
    return {item.task.id: sha256(_canonical(item).encode()).hexdigest()[:16] for item in items}


def field(name: str) -> Callable[[Item], str] | None:
    """Return how to read the field *name* of an item (of its record, else of its task), None for an empty name."""
    return (lambda item: _value(item, name)) if name else None


def _value(item: Item, name: str) -> str:
    fields = {"kind": item.task.kind, **item.task.data, **item.record.raw}
    if name == "kind":
        return item.task.kind
    if fields.get(name) is None:
        raise DataError(f"{item.record.where}: no field {name!r} to split by; it has {', '.join(fields)}")
    return str(fields[name])


def _canonical(item: Item) -> str:
    try:
        text = json.dumps(item.raw, sort_keys=True, ensure_ascii=False)
        text.encode()
    except UnicodeEncodeError as error:
        raise DataError(f"{item.record.where}: {error.object[error.start]!r} is no character; remove it") from error
    return text

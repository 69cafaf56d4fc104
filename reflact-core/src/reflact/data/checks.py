"""What must hold between the splits, so that a score on one tells nothing of another."""

from collections.abc import Mapping

from reflact.data.ids import content_hash
from reflact.errors import DataError
from reflact.types import Split, Task


def check_splits(splits: Mapping[Split, tuple[Task, ...]], *, same_content: bool = True) -> None:
    """Raise `DataError` for an empty split, an empty or repeated id or, if *same_content*, an item in two splits."""
    seen: dict[str, Split] = {}
    contents: dict[str, tuple[Split, str]] = {}
    shared: list[str] = []
    repeated: dict[str, str] = {}
    for split, tasks in splits.items():
        if not tasks:
            raise DataError(f"the {split} split is empty; each of train, val and test needs at least one item")
        for task in tasks:
            if not task.id.strip():
                raise DataError(f"an item of the {split} split has an empty id; give every item its own")
            if task.id in seen:
                places = split if seen[task.id] == split else f"{seen[task.id]} and {split}"
                repeated.setdefault(task.id, places)
            seen.setdefault(task.id, split)
            if same_content:
                first, other = contents.setdefault(content_hash(task), (split, task.id))
                if first != split:
                    shared.append(f"{other!r} in {first} is {task.id!r} in {split}")
    if repeated:
        (one, places), more = next(iter(repeated.items())), len(repeated) - 1
        also = f" ({more} more ids are repeated)" if more else ""
        raise DataError(f"id {one!r} occurs twice, in {places}{also}; ids must be unique across all splits")
    if shared:
        raise DataError(
            f"{len(shared)} items lie in two splits under different ids, so that one split gives the other away: "
            f"{'; '.join(shared[:3])}. Remove the copies from the data"
        )

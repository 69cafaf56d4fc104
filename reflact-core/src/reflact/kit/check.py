"""What must hold for every env, asked of one env without a model: the core of `reflact check` and `EnvContract`."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

from reflact.contracts import Env, EnvSpec
from reflact.data.checks import check_splits
from reflact.data.ids import content_hash, safe_id
from reflact.errors import DataError
from reflact.kit.trials import Finding, Trial, graded, prompted, regraded, sealed
from reflact.types import Split, Task


def check_env(env: Env, spec: EnvSpec, *, workdir: Path, tasks_per_split: int = 20) -> list[Finding]:
    """Return what is wrong with *env*; an empty list is good. Up to *tasks_per_split* tasks are run, in *workdir*.

    What *env* itself raises is passed on.
    """
    splits = splits_of(env)
    some = list(chain.from_iterable(tasks[:tasks_per_split] for tasks in splits.values()))
    scorable = [task for task in some if task.scorable]
    run = Trial(env, spec, workdir)
    return [
        *disjoint(splits),
        *named(splits),
        *stable(env, splits),
        *json_only(splits),
        *graded(run, scorable),
        *regraded(run, scorable),
        *prompted(run, some),
        *sealed(run, scorable),
    ]


def splits_of(env: Env) -> Mapping[Split, tuple[Task, ...]]:
    """Return all tasks of *env* by split."""
    names: tuple[Split, ...] = ("train", "val", "test")
    return {split: tuple(env.tasks(split)) for split in names}


def disjoint(splits: Mapping[Split, Sequence[Task]]) -> Iterator[Finding]:
    """Find empty splits, empty and repeated ids and, as a warning, tasks of one content in two splits."""
    tasks = {split: tuple(found) for split, found in splits.items()}
    try:
        check_splits(tasks, same_content=False)
    except DataError as error:
        yield Finding(rule="splits", message=str(error))
        return
    with_data = {split: tuple(task for task in found if task.data) for split, found in tasks.items()}
    if all(with_data.values()) and not any(json_only(splits)):
        try:
            check_splits(with_data)
        except DataError as error:
            yield Finding(rule="splits", message=str(error), level="warning")


def named(splits: Mapping[Split, Sequence[Task]]) -> Iterator[Finding]:
    """Find, as a warning, ids whose folders would be one where the file system ignores case."""
    alike: dict[str, set[str]] = defaultdict(set)
    for task in chain.from_iterable(splits.values()):
        alike[safe_id(task.id).casefold()].add(task.id)
    for ids in alike.values():
        if len(ids) > 1:
            message = f"ids {', '.join(map(repr, sorted(ids)))} differ in case only; some file systems mix them up"
            yield Finding(rule="ids", message=message, level="warning")


def stable(env: Env, splits: Mapping[Split, Sequence[Task]]) -> Iterator[Finding]:
    """Find splits that *env* lists otherwise when asked again."""
    for split, tasks in splits.items():
        if list(env.tasks(split)) != list(tasks):
            yield Finding(rule="order", message=f"tasks({split!r}) differs from call to call")


def json_only(splits: Mapping[Split, Sequence[Task]]) -> Iterator[Finding]:
    """Find tasks whose data are not JSON."""
    for task in chain.from_iterable(splits.values()):
        try:
            content_hash(task)
        except DataError as error:
            yield Finding(rule="json", message=str(error))
        else:
            if json.loads(json.dumps(dict(task.data))) != dict(task.data):
                message = f"task {task.id!r}: its data come back from JSON changed (a tuple, or a key that is no text)"
                yield Finding(rule="json", message=message)

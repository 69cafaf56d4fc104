"""What the splits tell as a whole: problems that stand in two of them, and hidden wordings from another file."""

from collections import defaultdict
from dataclasses import replace
from pathlib import Path

from reflact import DataError
from reflact.data.records import scan
from reflact.data.splits import Splits

from reflact_env_mathverse.config import MathVerseConfig
from reflact_env_mathverse.layout import DOMINANT, dominant, official


def told_of_groups(splits: Splits) -> str:
    """Return which copies of problems stand in two splits, or an empty text.

    Raises `DataError` when versions of one problem do.
    """
    if straddling := _in_two(splits, "problem"):
        raise DataError(
            f"versions of {len(straddling)} problems stand in two splits, so that one split gives the other away: "
            f"{', '.join(straddling[:3])}. Split by problem_index, or set env.problem_version to one of them"
        )
    copies = _in_two(splits, "group")
    alike = f"{', '.join(copies[:3])} and {'its copy' if len(copies) == 1 else 'their copies'}"
    return f"{len(copies)} problems stand in two splits, with the same text and answer: {alike}" if copies else ""


def with_references(splits: Splits, config: MathVerseConfig) -> Splits:
    """Return *splits* with the wordiest version of each problem, from `data_root` where its own file lacks it.

    Raises `DataError` when `use_text_dominant_reference` is set and no problem has one.
    """
    if not config.use_text_dominant_reference:
        return splits
    tasks = [task for found in splits.values() for task in found]
    if all(task.data["reference"] for task in tasks):
        return splits
    file = official(Path(config.data_root), DOMINANT)
    wordings = dominant([one for one in scan(file) if not one.fault])
    filled = {
        split: tuple(
            replace(one, data={**one.data, "reference": one.data["reference"] or wordings.get(one.data["problem"], "")})
            for one in found
        )
        for split, found in splits.items()
    }
    if not any(task.data["reference"] for found in filled.values() for task in found):
        raise DataError(
            f"env.use_text_dominant_reference: none of the {len(tasks)} problems has a version {DOMINANT!r} in {file}"
        )
    return filled


def _in_two(splits: Splits, field: str) -> list[str]:
    homes: dict[str, set[str]] = defaultdict(set)
    for split, tasks in splits.items():
        for task in tasks:
            homes[task.data[field]].add(split)
    return sorted(name for name, found in homes.items() if len(found) > 1)

"""The test cases of a task: which of the workbooks in its folder belong together."""

from __future__ import annotations

import re
import warnings
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from reflact import DataError

_NAME = re.compile(r"(?:(?P<no>\d+)_)?(?:(?P<id>.*)_)?(?P<role>input|init|initial|answer|golden)\.xlsx", re.IGNORECASE)
_INPUTS = frozenset({"input", "init", "initial"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A workbook to change and what it should become, by their names in the task's folder."""

    no: int
    source: str
    gold: str


@dataclass(frozen=True, slots=True)
class _File:
    no: int | None
    task_id: str
    name: str


def find_cases(folder: Path, task_id: str) -> tuple[Case, ...]:
    """Return the cases in *folder*, by number. A lone input and a lone gold belong together whatever they are called.

    Takes `{n}_{id}_input.xlsx` with `…_answer.xlsx`, `{n}_{id}_init.xlsx` with `…_golden.xlsx`, and `initial.xlsx` with
    `golden.xlsx`. Raises `DataError` for a folder without a case, and for several workbooks in one role of a case.
    """
    if not folder.is_dir():
        raise DataError(f"{task_id!r}: no folder {folder}; env.data_root names the folder that spreadsheet/ is in")
    sources, golds = _files(folder)
    if len(sources) == 1 and len(golds) == 1:
        ((source,), (gold,)) = sources, golds
        if (source.no, source.task_id) != (gold.no, gold.task_id):
            told = f"{task_id!r}: {source.name} and {gold.name} are taken for one case, though their names differ"
            warnings.warn(told, RuntimeWarning, stacklevel=2)
        return (Case(no=source.no or 1, source=source.name, gold=gold.name),)
    by_number = {no: (_of(sources, no), _of(golds, no)) for no in sorted({one.no or 1 for one in (*sources, *golds)})}
    cases = []
    for no, (given, right) in by_number.items():
        if len(given) > 1 or len(right) > 1:
            names = ", ".join(one.name for one in (*given, *right))
            raise DataError(f"{task_id!r}: case {no} has more than one input or gold workbook ({names}) in {folder}")
        if given and right:
            cases.append(Case(no=no, source=given[0].name, gold=right[0].name))
    if not cases:
        names = ", ".join(sorted(path.name for path in folder.iterdir())[:6]) or "nothing"
        raise DataError(f"{task_id!r}: no-test-cases: no pair of input and gold .xlsx in {folder}, which holds {names}")
    lone = [one.name for given, right in by_number.values() if not (given and right) for one in (*given, *right)]
    if lone:
        told = f"{task_id!r}: {', '.join(lone)} has no counterpart in {folder} and is left out"
        warnings.warn(told, RuntimeWarning, stacklevel=2)
    return tuple(cases)


def _files(folder: Path) -> tuple[list[_File], list[_File]]:
    """Return the input and the gold workbooks of *folder*; lock files and hidden ones are none."""
    found: defaultdict[bool, list[_File]] = defaultdict(list)
    for path in sorted(folder.iterdir()):
        match = _NAME.fullmatch(path.name)
        if match and not path.name.startswith(("~$", ".")) and path.is_file():
            number = int(match["no"]) if match["no"] else None
            found[match["role"].lower() in _INPUTS].append(_File(number, match["id"] or "", path.name))
    return found[True], found[False]


def _of(files: list[_File], no: int) -> list[_File]:
    return [one for one in files if (one.no or 1) == no]

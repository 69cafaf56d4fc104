"""The official files: which of them holds a version, which of their records are wanted, which belong together."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from reflact import DataError
from reflact.data.records import Record, data_file, scan

TEXT_ONLY, VISION_ONLY, DOMINANT = "Text Only", "Vision Only", "Text Dominant"
VERSIONS = (DOMINANT, "Text Lite", "Vision Intensive", "Vision Dominant", VISION_ONLY, TEXT_ONLY)


def records(path: Path, *, version: str, question_type: str = "") -> Sequence[Record]:
    """Return the records of *path*, a file or a folder, that are of *version* and *question_type*; empty takes all.

    Each says to which `group` it belongs: that of all versions of its problem, and of problems with the same text and
    answer. Where it does not word its question itself, the wordiest version in the file does. Raises `DataError` when
    nothing is left, with the versions that are there.
    """
    file = official(path, version)
    found = scan(file)
    usable = [one for one in found if not one.fault]
    groups, wordings = _groups(usable), dominant(usable)
    kept = [
        one if one.fault else Record(_filled(one.raw, groups, wordings), one.where)
        for one in found
        if one.fault or _is_wanted(one.raw, version, question_type)
    ]
    if not kept:
        there = Counter(str(one.raw.get("problem_version") or "no version") for one in usable)
        counts = ", ".join(f"{name}: {n}" for name, n in sorted(there.items())) or "no items at all"
        wanted = " ".join(filter(None, (version, question_type))) or "any version"
        raise DataError(f"{file}: no item of {wanted}; it holds {counts}. See env.problem_version, env.question_type")
    return kept


def official(path: Path, version: str) -> Path:
    """Return the data file in *path*: itself, or the official one for *version*, or else the only one."""
    name = "testmini_text_only.json" if version == TEXT_ONLY else "testmini.json"
    named = [folder / name for folder in (path, path / "data") if (folder / name).is_file()]
    return named[0] if named else data_file(path)


def dominant(found: Sequence[Record]) -> Mapping[str, str]:
    """Return the text of the wordiest version of each problem in *found*, by problem."""
    worded = (one.raw for one in found if one.raw.get("problem_version") == DOMINANT and one.raw.get("question"))
    return {_name(raw): str(raw["question"]) for raw in worded}


def problem(raw: Mapping[str, Any]) -> str:
    """Return what the versions of a problem share; raises `DataError` without it."""
    index = next((raw[name] for name in ("problem_index", "sample_index") if raw.get(name) not in (None, "")), None)
    if index is None:
        raise DataError("no problem_index (nor sample_index)")
    return str(index).strip()


def _is_wanted(raw: Mapping[str, Any], version: str, question_type: str) -> bool:
    fits = not version or str(raw.get("problem_version") or version) == version
    return fits and (not question_type or raw.get("question_type") == question_type)


def _filled(raw: Mapping[str, Any], groups: Mapping[str, str], wordings: Mapping[str, str]) -> Mapping[str, Any]:
    name = _name(raw)
    added = {"group": groups.get(name, name), "text_dominant_question": wordings.get(name)}
    return {**{key: value for key, value in added.items() if value}, **raw}


def _groups(found: Sequence[Record]) -> Mapping[str, str]:
    """Return the first problem of its group for each problem in *found*."""
    first: dict[str, str] = {}

    def root(name: str) -> str:
        while first.setdefault(name, name) != name:
            name = first[name]
        return name

    for one, other in _alike(found):
        first[root(other)] = root(one)
    return {_name(one.raw): root(_name(one.raw)) for one in found}


def _alike(found: Sequence[Record]) -> Iterator[tuple[str, str]]:
    seen: dict[tuple[str, ...], str] = {}
    for one in found:
        text = " ".join(str(one.raw.get("question") or "").split())
        if text:
            key = (str(one.raw.get("problem_version")), text, str(one.raw.get("answer")).strip())
            yield seen.setdefault(key, _name(one.raw)), _name(one.raw)


def _name(raw: Mapping[str, Any]) -> str:
    try:
        return problem(raw)
    except DataError:
        return ""

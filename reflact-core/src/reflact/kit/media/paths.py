"""A file a data set names, found below the data's own folders and nowhere else."""

from __future__ import annotations

import re
import stat
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from filecmp import cmp
from pathlib import Path

from reflact.errors import DataError

_URL = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_DRIVE = re.compile(r"[A-Za-z]:")


def locate(raw: str, roots: Sequence[Path], *, allow_absolute: bool = False, sure: int = 0) -> Path:
    """Return the regular file that *raw* names below the first of *roots* that has it, resolved.

    Raises `DataError` for URLs, drives, NUL, files that are not there or not regular, for paths that leave their root
    by `..` or a link, and where another root has another image of that name: only the first *sure* roots are not
    questioned. Backslashes are separators; names are tried in Unicode form C, then D.
    """
    if not raw or "\0" in raw:
        raise DataError(f"image path {raw!r} is no path")
    if _URL.match(raw):
        raise DataError(f"image path {raw!r} is a URL; download the images and name them relative to env.data_root")
    if _DRIVE.match(raw) or raw.startswith(("\\\\", "//")):
        raise DataError(f"image path {raw!r} is on a drive or share; name images relative to env.data_root")
    clean = raw.replace("\\", "/")
    if Path(clean).is_absolute():
        return _absolute(Path(clean), roots, allow_absolute=allow_absolute)
    found: list[Path] = []
    for number, root in enumerate(roots):
        file = next((root / form for form in _forms(clean) if _exists(root / form)), None)
        if file is not None:
            found.append(_within(file, root, raw))
        if found and number < sure:
            return found[0]
    if found:
        return _only(raw, found)
    tried = ", ".join(str(root) for root in roots) or "no folder"
    raise DataError(f"image {raw!r} not found below {tried}{_suggestion(clean, roots)}; env.data_root names the folder")


def _forms(name: str) -> Iterable[str]:
    return dict.fromkeys((name, unicodedata.normalize("NFC", name), unicodedata.normalize("NFD", name)))


def _only(raw: str, found: Sequence[Path]) -> Path:
    """Return the first of *found*. Raises `DataError` when they are not all the same image."""
    other = next((file for file in found[1:] if file != found[0] and not cmp(file, found[0], shallow=False)), None)
    if other is not None:
        raise DataError(
            f"image {raw!r} is two different files, {found[0]} and {other}; "
            "name images relative to a folder above both, or set env.data_root"
        )
    return found[0]


def _absolute(path: Path, roots: Sequence[Path], *, allow_absolute: bool) -> Path:
    inside = [root for root in roots if path.resolve().is_relative_to(root.resolve())]
    if not inside and not allow_absolute:
        raise DataError(
            f"image path '{path}' is absolute and outside the data; name images relative to env.data_root, "
            "or set env.allow_absolute_paths=true if the data are yours"
        )
    if not _exists(path):
        raise DataError(f"image '{path}' does not exist")
    return _regular(path.resolve(), str(path))


def _within(file: Path, root: Path, raw: str) -> Path:
    real = file.resolve()
    if not real.is_relative_to(root.resolve()):
        raise DataError(f"image path {raw!r} leads out of {root}; images must lie below it")
    return _regular(real, raw)


def _regular(real: Path, raw: str) -> Path:
    if not stat.S_ISREG(real.stat().st_mode):
        raise DataError(f"image {raw!r} is no regular file")
    return real


def _exists(file: Path) -> bool:
    try:
        return file.exists()
    except (OSError, ValueError):
        return False


def _suggestion(clean: str, roots: Sequence[Path]) -> str:
    found = next((name for root in roots for name in _other_case(root / clean)), "")
    return f" (there is {found!r}; letter case counts)" if found else ""


def _other_case(file: Path) -> Iterator[str]:
    try:
        yield from (one.name for one in file.parent.iterdir() if one.name.casefold() == file.name.casefold())
    except OSError:
        return

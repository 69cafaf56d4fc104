"""What is committed works elsewhere: no lock file, no package registry's host, no path of this machine."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from workspace import ROOT, repository_files

REGISTRIES = re.compile(r"\b(?:pypi|pythonhosted|registry\.npmjs|proxy\.golang|anaconda)\.(?:org|com|io)\b")
HOMES = re.compile(r"(?<![\w.])/(?:home|Users)/[a-z][\w.-]*/|\b[A-Z]:\\Users\\")


def test_no_lock_file_is_committed() -> None:
    assert not [file for file in repository_files() if file.name in ("uv.lock", "poetry.lock", "pdm.lock")]


def test_no_file_names_the_host_of_a_package_registry() -> None:
    assert not _lines(REGISTRIES)


def test_no_file_names_a_path_of_the_machine_it_was_written_on() -> None:
    places = {str(ROOT), str(Path.home()), sys.prefix, sys.base_prefix} - {"/", "/usr", "/usr/local"}
    here = "|".join(re.escape(place.rstrip("/") + "/") for place in sorted(places))
    assert not _lines(re.compile(rf"(?<![\w.])(?:{here})|{HOMES.pattern}"))


def test_no_file_holds_a_conflict_marker() -> None:
    assert not _lines(re.compile(r"^(?:<{7}|>{7}) ", re.MULTILINE))


def _lines(pattern: re.Pattern[str]) -> list[str]:
    found = []
    for file in repository_files():
        text = file.read_text(encoding="utf-8")
        places = (text.count("\n", 0, match.start()) + 1 for match in pattern.finditer(text))
        found += [f"{file.relative_to(ROOT)}:{line}" for line in places]
    return found

"""The reference is what the code says: generated pages are up to date, tables are complete."""

from __future__ import annotations

import re
import runpy
from collections.abc import Callable, Iterator, Mapping
from typing import get_args

import pytest
from reflact import errors
from reflact.types import UNSCORED, Outcome
from workspace import ROOT

REFERENCE = ROOT / "docs" / "reference"
PAGES: Mapping[str, Callable[[], str]] = runpy.run_path(str(ROOT / "docs" / "generate.py"))["PAGES"]


@pytest.mark.parametrize("page", PAGES)
def test_a_generated_page_is_up_to_date(page: str) -> None:
    assert (REFERENCE / page).read_text(encoding="utf-8") == PAGES[page](), "run `make docs`"


def test_every_error_is_in_the_table_with_its_exit_code() -> None:
    classes = [one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, errors.ReflactError)]
    assert {row[0]: row[1] for row in rows("class")} == {f"`{one.__name__}`": str(one.exit_code) for one in classes}


def test_every_fault_of_a_model_call_is_in_the_table_and_whether_it_ends_the_run() -> None:
    found = {row[0].strip("`"): row[2] == "ends at once" for row in rows("fault")}
    assert found == {fault: fault in errors.FATAL for fault in get_args(errors.BackendFault)}


def test_every_outcome_is_in_the_table_and_whether_it_is_scored() -> None:
    found = {row[0].strip("`"): row[1] == "no" for row in rows("outcome")}
    assert found == {outcome: outcome in UNSCORED for outcome in get_args(Outcome)}


def rows(first: str) -> Iterator[list[str]]:
    """Yield the rows of the table on the page of errors whose first column is called *first*."""
    text = (REFERENCE / "errors.md").read_text(encoding="utf-8")
    table = re.search(rf"^\| {first} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", text, re.M)
    assert table, f"there is no table of {first}"
    for line in table[1].splitlines():
        yield [cell.strip() for cell in line.strip("|").split("|")]

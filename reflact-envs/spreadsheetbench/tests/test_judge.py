"""What a written workbook is worth: stored values, computed ones, and those nobody knows."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.worksheet.formula import ArrayFormula
from reflact import ConfigError, DataError
from reflact_env_spreadsheetbench.books import save
from reflact_env_spreadsheetbench.booth import Booth, booth
from reflact_env_spreadsheetbench.config import SpreadsheetConfig
from reflact_env_spreadsheetbench.judge import Judged, Referee
from reflact_env_spreadsheetbench.libreoffice import LibreOffice, office
from reflact_env_spreadsheetbench.ranges import parse_position
from reflact_env_spreadsheetbench.workbook import Reader

Judge = Callable[..., Judged]


@pytest.fixture
def place(confined: None) -> Booth:
    """A sandbox."""
    return booth(SpreadsheetConfig())


@pytest.fixture
def judge(place: Booth, tmp_path: Path, write_book: Callable[..., Path]) -> Judge:
    """Judges one workbook against another: both as sheets or as a path; `office` computes formulas."""

    def made(name: str, book: Any, stored: Any) -> Path:
        return book if isinstance(book, Path) else write_book(tmp_path / name, book, stored=stored)

    def judged(
        gold: Any,
        found: Any,
        position: str,
        *,
        sheet: str = "",
        stored: Any = None,
        right: Any = None,
        office: Any = None,
    ) -> Judged:
        referee, refs = Referee(Reader(place), office), parse_position(position)
        known = referee.gold(made("gold.xlsx", gold, right), refs, sheet)
        return referee(known, made("found.xlsx", found, stored).read_bytes(), refs)

    return judged


@pytest.fixture
def calc(calculating: None, place: Booth, tmp_path: Path) -> LibreOffice:
    """LibreOffice with a cache of its own."""
    found = office(SpreadsheetConfig(recalc="libreoffice", recalc_cache=str(tmp_path / "cache")), place, pytest.fail)
    assert found is not None
    return found


@pytest.mark.usefixtures("calculating")
def test_computed_workbooks_are_kept_where_the_users_caches_are(
    place: Booth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    found = office(SpreadsheetConfig(recalc="libreoffice"), place, pytest.fail)
    assert found is not None and found.cache == tmp_path / "reflact" / "recalculated"


def verdict(judged: Judged) -> tuple[str, str]:
    return judged.verdict, judged.via


def test_equal_cells_pass_and_others_fail_by_name(judge: Judge) -> None:
    gold = {"S": [["a", 1], ["b", 2.004]]}
    assert verdict(judge(gold, {"S": [["a", "1"], ["b", 2]]}, "A1:B2")) == ("pass", "cached")
    found = judge(gold, {"S": [["a", 1], ["b", 3]]}, "A1:B2")
    assert (found.verdict, found.reason) == ("fail", "eval-mismatch: S!B2 expected=2.004 got=3")


def test_cells_outside_the_position_do_not_count(judge: Judge) -> None:
    assert judge({"S": [["a", 1]]}, {"S": [["other", 1, 2]]}, "B1").verdict == "pass"


def test_a_missing_sheet_fails(judge: Judge) -> None:
    found = judge({"S": [[1]]}, {"T": [[1]]}, "S!A1")
    assert (found.verdict, "no such sheet" in found.reason) == ("fail", True)


def test_the_sheet_is_named_or_the_records_or_the_first_of_the_gold(judge: Judge) -> None:
    """[BUG 11] The sheet of the record only reached the first range."""
    gold, found = {"A": [[1]], "B": [[2], [3]]}, {"B": [[2], [3]], "A": [[9]]}
    assert judge(gold, found, "A1,A2", sheet="B").verdict == "pass"
    assert judge(gold, found, "B!A1").verdict == "pass"
    assert judge(gold, found, "A1").reason == "eval-mismatch: A!A1 expected=1 got=9"
    assert judge(gold, found, "A1", sheet="A, B").verdict == "fail"


def test_a_sheet_is_found_whatever_blanks_and_case_its_name_has(judge: Judge) -> None:
    assert judge({"b2b, sez, de": [[1]]}, {"B2B, sez, de ": [[1]]}, "'b2b, SEZ, de'!A1").verdict == "pass"


def test_whole_columns_are_compared_as_far_as_either_workbook_goes(judge: Judge) -> None:
    gold = {"S": [[1], [2]]}
    assert judge(gold, {"S": [[1], [2]]}, "A:G").verdict == "pass"
    assert judge(gold, {"S": [[1], [2], [3]]}, "A:A").reason == "eval-mismatch: S!A3 expected=None got=3"
    assert judge(gold, {"S": [[1]]}, "A:A").reason == "eval-mismatch: S!A2 expected=2 got=None"
    assert judge(gold, {"S": [[1], [2, 5]]}, "2:2").verdict == "fail"


def test_lower_case_and_reversed_corners_compare_the_cells_they_mean(judge: Judge) -> None:
    """[BUG 11] `a1:b2` was read as AG1:AH2 and `B3:A1` as nothing: empty on both sides, and so a pass."""
    assert judge({"S": [[1, 2]]}, {"S": [[1, 9]]}, "a1:b2").verdict == "fail"
    assert judge({"S": [[1, 2]]}, {"S": [[1, 9]]}, "B3:A1").verdict == "fail"


def test_dates_times_truth_values_and_empty_texts_are_read_as_they_are(judge: Judge) -> None:
    gold = {"S": [[datetime(2024, 3, 1), True, None, datetime(2024, 3, 1).time()]]}
    assert (
        judge(gold, {"S": [[datetime(2024, 3, 1, 5), 1, None, datetime(2024, 3, 1).time()]]}, "A1:D1").verdict == "pass"
    )
    assert judge(gold, {"S": [[datetime(2024, 3, 2), 1]]}, "A1:D1").verdict == "fail"


def test_a_formula_with_a_right_stored_value_passes(judge: Judge) -> None:
    assert verdict(judge({"S": [[2]]}, {"S": [["=1+1"]]}, "A1", stored={"A1": 2})) == ("pass", "cached")
    text = judge({"S": [[None]]}, {"S": [['=""']]}, "A1", stored={"A1": ""})
    assert verdict(text) == ("pass", "cached")


def test_a_formula_nobody_can_compute_is_neither_a_pass_nor_a_fail(judge: Judge) -> None:
    """[BUG 10] It was read as nothing: wrong although right, and right where nothing was expected."""
    for gold in ({"S": [[2]]}, {"S": [[None, 7]]}):
        found = judge(gold, {"S": [["=1+1"]]}, "A1")
        assert (found.verdict, "no LibreOffice" in found.reason) == ("unscorable", True)


def test_a_stale_value_leaves_it_open_too(judge: Judge) -> None:
    assert judge({"S": [[2]]}, {"S": [["=1+1"]]}, "A1", stored={"A1": 0}).verdict == "unscorable"


def test_a_wrong_value_fails_whatever_a_formula_beside_it_comes_to(judge: Judge) -> None:
    assert judge({"S": [[2, 3]]}, {"S": [["=1+1", 4]]}, "A1:B1").reason == "eval-mismatch: S!B1 expected=3 got=4"


def test_a_gold_without_a_known_value_is_refused_before_anybody_is_asked(judge: Judge) -> None:
    """[BUG 10] Nothing compared with nothing was a pass."""
    with pytest.raises(DataError, match=r"right value of S!A1 and 1 more is a formula's.*no LibreOffice"):
        judge({"S": [["=1+1", "=2+2"]]}, {"S": [[None]]}, "A1:B1")


def test_a_gold_without_the_sheet_is_refused_with_those_there_are(judge: Judge) -> None:
    with pytest.raises(DataError, match="no sheet 'Z'; there are: S"):
        judge({"S": [[1]]}, {"S": [[1]]}, "Z!A1")


@pytest.mark.slow
def test_a_formula_passes_by_what_it_comes_to(judge: Judge, calc: LibreOffice) -> None:
    """[BUG 10]"""
    gold = {"S": [[2, 3, 5]]}
    assert verdict(judge(gold, {"S": [[2, 3, "=A1+B1"]]}, "C1", office=calc)) == ("pass", "recalc")
    wrong = judge(gold, {"S": [[2, 3, "=A1*B1"]]}, "C1", office=calc)
    assert wrong.reason == "eval-mismatch: S!C1 expected=5 got=6 (=A1*B1)"


@pytest.mark.slow
def test_a_stale_value_is_computed_anew(judge: Judge, calc: LibreOffice) -> None:
    found = judge({"S": [[2, 3, 5]]}, {"S": [["=1+1", 3, "=A1+B1"]]}, "C1", stored={"A1": 7, "C1": 0}, office=calc)
    assert verdict(found) == ("pass", "recalc")


@pytest.mark.slow
def test_a_formula_that_cannot_be_divided_is_wrong_and_not_open(judge: Judge, calc: LibreOffice) -> None:
    found = judge({"S": [[2]]}, {"S": [["=1/0"]]}, "A1", office=calc)
    assert (found.verdict, "#DIV/0!" in found.reason) == ("fail", True)


@pytest.mark.slow
def test_an_array_formula_fills_cells_that_are_computed_too(judge: Judge, calc: LibreOffice, tmp_path: Path) -> None:
    book = Workbook()
    book.active.append([1, None])
    book.active.append([2, None])
    book.active["B1"] = ArrayFormula("B1:B2", "=A1:A2*10")
    save(book, tmp_path / "array.xlsx")
    gold = {"Sheet": [[1, 10], [2, 20]]}
    assert judge(gold, tmp_path / "array.xlsx", "B1:B2").verdict == "unscorable"
    assert verdict(judge(gold, tmp_path / "array.xlsx", "B1:B2", office=calc)) == ("pass", "recalc")


@pytest.mark.slow
def test_a_function_this_release_does_not_know_is_no_fault_of_the_student(judge: Judge, calc: LibreOffice) -> None:
    if int(calc.version.split(".")[0]) >= 24:
        pytest.skip("this LibreOffice knows XLOOKUP")
    found = judge({"S": [[1, 1, 1]]}, {"S": [[1, 1, "=_xlfn.XLOOKUP(1,A1:A1,B1:B1)"]]}, "C1", office=calc)
    assert (found.verdict, "does not know a function" in found.reason) == ("unscorable", True)
    assert judge({"S": [[1]]}, {"S": [["=NOSUCH(1)"]]}, "A1", office=calc).verdict == "fail"


@pytest.mark.slow
def test_a_gold_without_stored_values_is_computed_once_and_kept_apart_from_the_data(
    judge: Judge, calc: LibreOffice, tmp_path: Path, write_book: Callable[..., Path]
) -> None:
    gold = write_book(tmp_path / "data" / "gold.xlsx", {"S": [[2, "=A1*3", 7, "=9"]]}, stored={"D1": 8})
    before = gold.read_bytes()
    assert judge(gold, {"S": [[2, 6, 7, 8]]}, "A1:D1", office=calc).verdict == "pass"
    assert judge(gold, {"S": [[2, None, 7, 8]]}, "A1:D1", office=calc).verdict == "fail"
    assert (gold.read_bytes(), list(gold.parent.iterdir())) == (before, [gold])
    (kept,) = (tmp_path / "cache").rglob("*.xlsx")
    assert load_workbook(kept, data_only=True).active["B1"].value == 6


@pytest.mark.slow
def test_a_workbook_libreoffice_cannot_open_is_told(calc: LibreOffice) -> None:
    with pytest.raises(DataError, match="LibreOffice could not compute the workbook"):
        calc.computed(b"no workbook", keep=False)


@pytest.mark.slow
def test_a_sheet_of_ten_thousand_rows_is_compared(judge: Judge) -> None:
    rows = [[number, number * 2] for number in range(10_000)]
    assert judge({"S": rows}, {"S": rows}, "A:B").verdict == "pass"
    assert judge({"S": rows}, {"S": [*rows[:-1], [9999, 0]]}, "A:B").reason.startswith("eval-mismatch: S!B10000 ")


def test_a_stray_cell_in_the_last_corner_costs_nothing(judge: Judge, tmp_path: Path) -> None:
    book = Workbook()
    book.active["A1"] = 1
    book.active["XFD1048576"] = "stray"
    save(book, tmp_path / "huge.xlsx")
    assert judge({"Sheet": [[1]]}, tmp_path / "huge.xlsx", "A:C").verdict == "pass"
    assert judge(tmp_path / "huge.xlsx", tmp_path / "huge.xlsx", "A1:XFD1048576").verdict == "pass"


@pytest.mark.parametrize("content", [b"", b"no workbook", b"PK\x03\x04 cut off"])
def test_what_is_no_workbook_fails_with_a_reason(judge: Judge, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "broken.xlsx").write_bytes(content)
    found = judge({"S": [[1]]}, tmp_path / "broken.xlsx", "A1")
    assert (found.verdict, found.reason.startswith("the workbook cannot be read: ")) == ("fail", True)


def rezipped(path: Path, changes: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path) as old:
        content = {name: old.read(name) for name in old.namelist()} | changes
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name, data in content.items():
            new.writestr(name, data)
    return path


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"xl/big.bin": bytes(40 * 1024**2)}, "unpacks from"),
        ({"../evil.xml": b""}, "leads out of it"),
        ({"xl/vbaProject.bin": b""}, "holds macros"),
        ({"xl/workbook.xml": b"<workbook"}, "cannot be read"),
        ({f"xl/{number}.xml": b"" for number in range(5001)}, "entries in the workbook"),
    ],
    ids=["bomb", "way out", "macros", "malformed", "entries"],
)
def test_a_workbook_made_to_harm_us_fails_with_a_reason(
    judge: Judge, tmp_path: Path, write_book: Callable[..., Path], changes: dict[str, bytes], told: str
) -> None:
    bad = rezipped(write_book(tmp_path / "bad.xlsx", {"S": [[1]]}), changes)
    found = judge({"S": [[1]]}, bad, "A1")
    assert (found.verdict, told in found.reason) == ("fail", True), found.reason


def test_an_xml_bomb_fails_with_a_reason(judge: Judge, tmp_path: Path, write_book: Callable[..., Path]) -> None:
    entities = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    bomb = f'<?xml version="1.0"?><!DOCTYPE w [<!ENTITY a0 "ha">{entities}]><workbook>&a11;</workbook>'
    bad = rezipped(write_book(tmp_path / "bad.xlsx", {"S": [[1]]}), {"xl/workbook.xml": bomb.encode()})
    assert judge({"S": [[1]]}, bad, "A1").verdict == "fail"


def test_a_preview_shows_the_beginning_of_every_sheet(
    place: Booth, tmp_path: Path, write_book: Callable[..., Path]
) -> None:
    rows = [[f"r{row}", "x" * 60, *range(30)] for row in range(9)]
    sheets = {"First": rows, "Empty": [], **{f"S{n}": [[n]] for n in range(25)}}
    text, unknown = Reader(place).preview(write_book(tmp_path / "a.xlsx", {**sheets, "Last": [["=1"]]}))
    lines = text.splitlines()
    assert lines[0] == "Sheet 'First': last row 9, last column 32"
    assert lines[1].startswith(f"A1=r0 | B1={'x' * 40}… | C1=0 |")
    assert lines[1].endswith("T1=17 | ... (12 more cells)")
    assert lines[6:9] == ["... (4 more rows)", "Sheet 'Empty': last row 0, last column 0", "(empty)"]
    assert lines[-1] == "... (8 more sheets)"
    assert (unknown, len(text) <= 12_100) == (0, True)


def test_a_config_may_do_without_libreoffice(place: Booth) -> None:
    assert office(SpreadsheetConfig(recalc="off"), place, pytest.fail) is None


def test_without_libreoffice_it_is_said_and_demanding_it_is_refused(
    place: Booth, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    told: list[str] = []
    assert office(SpreadsheetConfig(), place, told.append) is None
    assert "LibreOffice is not installed" in told[0]
    with pytest.raises(ConfigError, match=r"env\.recalc: LibreOffice is demanded"):
        office(SpreadsheetConfig(recalc="libreoffice"), place, told.append)

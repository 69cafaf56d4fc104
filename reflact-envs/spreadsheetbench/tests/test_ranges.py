"""Positions are read as the releases really write them, and none is empty."""

import pytest
from reflact import DataError
from reflact_env_spreadsheetbench.ranges import Ref, cell_name, column_letters, column_number, parse_position


def ref(sheet: str, rows: tuple[int, int | None], columns: tuple[int, int | None]) -> Ref:
    return Ref(sheet=sheet, first_row=rows[0], last_row=rows[1], first_column=columns[0], last_column=columns[1])


@pytest.mark.parametrize(
    ("position", "meant"),
    [
        ("B3", [ref("", (3, 3), (2, 2))]),
        ("'Data 1'!C2:C6", [ref("Data 1", (2, 6), (3, 3))]),
        ("'b2b, sez, de'!A5:V10", [ref("b2b, sez, de", (5, 10), (1, 22))]),
        ("b2b, sez, de'!A5:V10", [ref("b2b, sez, de", (5, 10), (1, 22))]),
        ("Sheet3'!A:G,'Sheet4'!A:G", [ref("Sheet3", (1, None), (1, 7)), ref("Sheet4", (1, None), (1, 7))]),
        (
            "MINUS'!B2:E11,'PLUS'!B2:E5200",
            [ref("MINUS", (2, 11), (2, 5)), ref("PLUS", (2, 5200), (2, 5))],
        ),
        ("A2:B", [ref("", (2, None), (1, 2))]),
        ("2:5", [ref("", (2, 5), (1, None))]),
        ("a1:b2", [ref("", (1, 2), (1, 2))]),
        ("$A$1:$B$2", [ref("", (1, 2), (1, 2))]),
        ("B3:A1", [ref("", (1, 3), (1, 2))]),
        ("A3:B1", [ref("", (1, 3), (1, 2))]),
        ("'S'!A1:'S'!B2", [ref("S", (1, 2), (1, 2))]),
        ("'A1:B2'", [ref("", (1, 2), (1, 2))]),
        ("Sheet1!'A1:B2'", [ref("Sheet1", (1, 2), (1, 2))]),
        ("'It''s'!A1", [ref("It's", (1, 1), (1, 1))]),
        ("A1, B2 ,Sheet1!C3", [ref("", (1, 1), (1, 1)), ref("", (2, 2), (2, 2)), ref("Sheet1", (3, 3), (3, 3))]),
        ("XFD1048576", [ref("", (1048576, 1048576), (16384, 16384))]),
    ],
)
def test_a_position_means_these_cells(position: str, meant: list[Ref]) -> None:
    """[BUG 11] Splitting at commas and colons fails on quotes, whole columns, lower case and corners out of order."""
    assert list(parse_position(position)) == meant


@pytest.mark.parametrize(
    "position", ["", ",", "  ", "A1,", ",A1", "A1:B2:C3", "A0", "XFE1", "A1048577", "Sheet1!", "!A1"]
)
def test_a_position_without_cells_is_an_error_and_no_pass(position: str) -> None:
    """[BUG 11] An empty position, or one of commas, yields no cells: nothing to compare, and so a pass."""
    with pytest.raises(DataError, match="answer_position"):
        parse_position(position)


def test_a_range_in_two_sheets_is_refused() -> None:
    with pytest.raises(DataError, match="one sheet, not in 'S' and 'T'"):
        parse_position("S!A1:T!B2")


def test_a_position_that_cannot_be_read_is_told_with_its_place() -> None:
    with pytest.raises(DataError, match="from character 4 on: '\\?\\?'"):
        parse_position("A1,??")


@pytest.mark.parametrize(("letters", "number"), [("A", 1), ("Z", 26), ("AA", 27), ("XFD", 16384)])
def test_columns_have_numbers_and_letters(letters: str, number: int) -> None:
    assert (column_number(letters.lower()), column_letters(number)) == (number, letters)


def test_a_cell_is_named_as_people_write_it() -> None:
    assert cell_name("S", 7, 28) == "S!AB7"

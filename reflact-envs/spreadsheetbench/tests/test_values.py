"""The rules by which two cells hold the same."""

from datetime import date, datetime, time, timedelta
from typing import Any

import pytest
from reflact_env_spreadsheetbench.values import same


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        (1, 1.0),
        (1.004, 1.0),
        ("1", 1),
        ("3.14159", 3.14),
        (True, 1),
        (False, 0.0),
        (None, ""),
        ("", None),
        (None, None),
        ("a", "a"),
        ("nan", "nan"),
        ("inf", "inf"),
        (datetime(2024, 3, 1, 8), datetime(2024, 3, 1, 9)),
        (time(10, 30, 5), time(10, 30, 59)),
        (time(10, 30), "10:30"),
        (timedelta(hours=30), timedelta(hours=30)),
        (date(2024, 3, 1), date(2024, 3, 1)),
    ],
)
def test_these_hold_the_same(expected: Any, got: Any) -> None:
    assert same(expected, got)
    assert same(got, expected)


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        (1, 1.01),
        (1, "one"),
        (0, None),
        (0, ""),
        (False, None),
        ("a", "A"),
        ("a", "a "),
        ("nan", "NaN"),
        (10**400, 1.0),
        (datetime(2024, 3, 1), datetime(2024, 3, 2)),
        (datetime(2024, 3, 1), time(0, 0)),
        (time(10, 30), time(10, 31)),
        ("#DIV/0!", 0),
    ],
)
def test_these_do_not(expected: Any, got: Any) -> None:
    assert not same(expected, got)
    assert not same(got, expected)


def test_a_point_in_time_equals_the_number_excel_has_for_its_day() -> None:
    assert same(datetime(2024, 1, 1, 6), datetime(2024, 1, 1))
    assert same(datetime(2024, 1, 1), 45292)

"""Comparing numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reflact.kit.numbers import Quantity, quantity, same_number


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("1234", 1234, ""),
        ("1,234.50", 1234.5, ""),
        ("$1,234.00", 1234, "$"),
        ("-$5", -5, "$"),
        ("$-5", -5, "$"),
        ("(12)", -12, ""),
        ("−3.5", -3.5, ""),
        (".5", 0.5, ""),
        ("12.", 12, ""),
        ("1e-3", 0.001, ""),
        ("12 km", 12, "km"),
        ("12%", 12, "%"),
        ("12 percent", 12, "%"),
        ("5 million", 5e6, ""),
        ("5.5 Billion USD", 5.5e9, "$"),
        ("$5M", 5e6, "$"),
        ("5 m", 5, "m"),
        ("3 kg per year.", 3, "kg per year"),
        (" 7\n", 7, ""),
    ],
)
def test_a_number_is_read_as_people_write_it(text: str, value: float, unit: str) -> None:
    assert quantity(text) == Quantity(pytest.approx(value), unit)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text", ["", "twelve", "12 or 13", "about 12", "2024-01-01", "1,23", "10:30", "3/4", "1.2.3", "--5", "12, I think"]
)
def test_anything_else_is_no_number(text: str) -> None:
    assert quantity(text) is None


@pytest.mark.parametrize(
    ("answer", "gold", "tolerance", "same"),
    [
        ("$1,234.00", "1234", 0.0, True),
        ("(12)", "-12", 0.0, True),
        ("5 million", "5 billion", 0.0, False),
        ("5 million", "5000000", 0.0, True),
        ("12 km", "12", 0.0, True),
        ("12 km", "12 m", 0.0, False),
        ("12 KM", "12 km", 0.0, True),
        ("0.30000000000000004", "0.3", 0.0, True),
        ("12.4", "12", 0.5, True),
        ("12.6", "12", 0.5, False),
        ("12%", "0.12", 0.0, False),
        ("twelve", "12", 100.0, False),
        ("0", "-0", 0.0, True),
    ],
)
def test_numbers_are_the_same_within_the_tolerance_and_in_one_unit(
    answer: str, gold: str, tolerance: float, same: bool
) -> None:
    assert same_number(answer, gold, tolerance=tolerance) is same


@given(st.integers() | st.floats(allow_nan=False, allow_infinity=False))
def test_every_number_python_writes_equals_itself(number: float) -> None:
    assert same_number(str(number), repr(number))


@given(st.text())
def test_any_text_can_be_asked(text: str) -> None:
    found = quantity(text)
    assert found is None or isinstance(found.value, float)

"""Spellings of one mathematical text, and texts that only look alike."""

from decimal import Decimal

import pytest
from reflact_env_mathverse.latex import number, plain, same_text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("\\frac{1}{23}", "$\\dfrac{1}{23}$"),
        ("\\frac12", "\\frac{1}{2}"),
        ("62^\\circ ", "62°"),
        ("62^{\\circ}", "62 degrees"),
        ("118掳T", "118° T"),
        ("9 \\pi \\mathrm{~cm}^{2}", "9π cm²"),
        ("\\left(\\frac{\\sqrt{2}}{2}, 1\\right)", "(\\frac{\\sqrt{2}}{2},1)"),
        ("\\text { increasing on }(-\\infty, 1)", "increasing on (-∞,1)"),
        ("$y \\leq 5$", "y ≤ 5"),
        ("\\[x^2\\]", "x^{2}."),
        ("Even", "even"),
        ("−3", "-3"),
    ],
)
def test_spellings_of_one_thing_are_equal(one: str, other: str) -> None:
    assert plain(one) == plain(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("\\frac{1}{23}", "\\frac{12}{3}"),
        ("x^{12}", "x^12"),
        ("4.4 m", "4.4 km"),
        ("S 23.5° W", "N 23.5 E"),
        ("x^2+y^2=4", "4"),
        ("-3", "3"),
        ("1.5", "15"),
        ("(2,-2)", "(2,2)"),
        ("y<2x+6", "y>2x+6"),
        ("", "0"),
        ("$x=0$", "y=0"),
        ("Area = 9 cm", "Area = 9"),
    ],
)
def test_texts_that_say_other_things_differ(one: str, other: str) -> None:
    """S7: all braces were deleted before comparing, so that these fractions were one."""
    assert not same_text(one, other)


@pytest.mark.parametrize("said", ["r=7", "7", "R = 7", "$=7$", "**7**."])
def test_the_name_of_a_quantity_does_not_count_unless_it_is_another(said: str) -> None:
    assert same_text(said, "$r=7$")


def test_a_wrapper_loses_nothing_of_what_it_holds() -> None:
    """S7: `\\mathrm{…}` used to vanish with the unit in it."""
    assert plain("5 \\mathrm{cm}") == "5cm"


@pytest.mark.parametrize(
    ("text", "is_number"),
    [
        ("11.80", "11.8"),
        ("$r=7.00$", "7"),
        ("1,234", "1234"),
        ("Slope = -4", "-4"),
        (".5", "0.5"),
        ("4.4 m", None),
        ("(1,234)", None),
        ("1:64", None),
        ("\\pi", None),
        ("5=s", None),
        ("f(x)=3", None),
    ],
)
def test_a_number_is_nothing_but_a_number_perhaps_with_a_name(text: str, is_number: str | None) -> None:
    assert number(text) == (Decimal(is_number) if is_number else None)

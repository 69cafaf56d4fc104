"""Numbers as a person reads them."""

import pytest
from reflact_cli.report.numbers import counted, duration, many, percent, points, table


@pytest.mark.parametrize(
    ("share", "text"), [(0.0, "0 %"), (0.001, "1 %"), (0.06, "6 %"), (0.999, "99 %"), (1.0, "100 %")]
)
def test_a_percentage_is_zero_or_hundred_only_when_it_is(share: float, text: str) -> None:
    assert percent(share) == text


def test_a_count_has_its_share_and_its_interval() -> None:
    assert counted({"right": 3, "n": 50, "interval_95": [0.0206, 0.1622]}) == "3/50 (6 %, 2–16 %)"


def test_a_count_of_nothing_divides_nothing() -> None:
    assert counted({"right": 0, "n": 0, "interval_95": [0, 1]}) == "nothing could be scored"


@pytest.mark.parametrize(
    ("delta", "text"),
    [(0.86, "+86 points"), (-0.01, "-1 point"), (0.004, "+0.4 points"), (0.0, "no change"), (-0.255, "-26 points")],
)
def test_a_difference_is_in_points(delta: float, text: str) -> None:
    assert points(delta) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.44, "0.4 s"), (42.4, "42 s"), (185, "3 min 5 s"), (7800, "2 h 10 min"), (59.7, "1 min 0 s")],
)
def test_a_duration_has_at_most_two_parts(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_a_noun_has_its_plural() -> None:
    assert [many(1, "patch"), many(2, "patch"), many(0, "edit"), many(1200, "item")] == [
        "1 patch",
        "2 patches",
        "0 edits",
        "1,200 items",
    ]


def test_a_table_without_rows_has_no_lines() -> None:
    assert table([]) == []

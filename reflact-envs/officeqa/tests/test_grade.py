"""The official score and the legacy one, over a table of answers worked out by hand from their rules."""

from typing import Any

import pytest
from reflact_env_officeqa import legacy, official
from reflact_env_officeqa.config import OfficeQAConfig
from reflact_env_officeqa.grade import grade

VECTORS = [
    ("507", "507.0", 1, 0),
    ("507", "The answer is 507", 1, 0),
    ("507", "507 (in 1940)", 1, 0),
    ("507", "507 and 508", 0, 0),
    ("507", "**507**", 1, 1),
    ("2602", "2602.", 1, 0),
    ("12.5%", "12.5", 1, 0),
    ("-35.2", "(35.2)", 1, 0),
    ("-3.4", "−3.4", 1, 0),
    ("0.5", "0.50", 1, 0),
    ("$1,234", "1234", 1, 1),
    ("[1, 2, 3]", "[1,2,3]", 1, 0),
    ("5 billion", "5 million", 0, 1),
    ("5 billion", "5", 1, 1),
    ("5 million", "5000000", 0, 0),
    ("1940", "1941", 0, 0),
    ("March 1977", "It was March 1977", 1, 0),
    ("[1, 2, 3]", "[3,2,1]", 0, 0),
    ("[1, 2]", "1, 2", 1, 1),
    ("0", "0.001", 0, 0),
    ("100", "100.9", 0, 0),
    ("Japan", "japan.", 0, 0),
    ("5.3 million dollars", "$5.3 million", 0, 1),
    ("5.3 million", "$5.3 million", 1, 1),
]
"""(gold, answer, official score at tolerance 0, legacy exact match)"""


@pytest.mark.parametrize(("gold", "answer", "right", "old"), VECTORS)
def test_an_answer_scores_as_the_benchmark_says(gold: str, answer: str, right: int, old: int) -> None:
    assert official.is_right(gold, answer) == bool(right)
    assert legacy.is_right(gold, answer) == bool(old)


@pytest.mark.parametrize(
    ("gold", "answer", "tolerance", "right"),
    [
        ("1940", "1941", 0.01, True),
        ("100", "100.9", 0.01, True),
        ("100", "101", 0.01, True),
        ("100", "101.01", 0.01, False),
        ("1000", "1001", 0.001, True),
        ("0", "0.001", 0.05, False),
        ("-35.2", "35.2", 0.05, False),
        ("[100, 200]", "[101, 202]", 0.01, True),
    ],
)
def test_a_tolerance_is_a_share_of_the_right_number(gold: str, answer: str, tolerance: float, right: bool) -> None:
    assert official.is_right(gold, answer, tolerance) == right


@pytest.mark.parametrize(
    ("gold", "answer", "right"),
    [
        ("507", "", False),
        ("507", "  \n ", False),
        ("507", "507\nor so", False),
        ("507", "507 " + "x" * 250, False),
        ("507", "<b>507</b>", False),
        ("507", "unable to determine", False),
        ("Unable to determine", "Unable to determine", False),
        ("Japan", "Japan", True),
        ("Japan", ' "japan" (the country) ', True),
        ("Japan", "Japan 1", False),
        ("Japan", "Not Japan", False),
        ("March 1977", "1977", False),
        ("March 1977", "May 1977", False),
        ("1,234,567", "1234567", True),
        ("1234567", "1,234,567 crowns", True),
        ("2602", "2,602 thousand", True),
        ("2,602 thousand", "2602 million", False),
        ("[100, 200, 300]", "[100,200,300]", True),
        ("[1,234, 5,678]", "1,234; 5,678", True),
        ("12 and 15", "15 and 12", True),
        ("12 and 15", "15 and 13", False),
        ("€7", "7", True),
        ("7", "(1940)", False),
    ],
)
def test_what_is_no_direct_answer_is_wrong(gold: str, answer: str, right: bool) -> None:
    assert official.is_right(gold, answer) == right


def config(**given: Any) -> OfficeQAConfig:
    return OfficeQAConfig(**given)


def test_only_the_last_answer_tag_counts() -> None:
    """A format that is repeated before the answer is not taken for it."""
    reply = "As `<answer>…</answer>`: the draft <answer>1</answer>, now <answer>507</answer>. Not 508."
    found = grade(reply, ["507"], config())
    assert (found.hard, found.answer, found.extra["answer_from"]) == (1.0, "507", "tag")


def test_a_reply_without_a_tag_is_wrong_and_says_so() -> None:
    found = grade("507", ["507"], config())
    assert (found.hard, found.soft, found.answer) == (0.0, 0.0, "")
    assert found.feedback == "no <answer> tag in the last reply; expected '507'"


def test_an_answer_that_is_near_is_told_by_how_much() -> None:
    found = grade("<answer>100.9</answer>", ["100"], config())
    assert {key: found.extra[key] for key in ("score_tol_0_1", "score_tol_1", "score_tol_5")} == {
        "score_tol_0_1": 0,
        "score_tol_1": 1,
        "score_tol_5": 1,
    }
    assert found.feedback == "answered '100.9' but expected '100', which is within 1 %"


def test_the_tolerance_of_the_configuration_decides() -> None:
    assert grade("<answer>100.9</answer>", ["100"], config(answer_tolerance=0.01)).hard == 1.0


def test_any_of_several_golds_will_do() -> None:
    assert grade("<answer>eight</answer>", ["8", "eight"], config()).hard == 1.0


def test_the_partial_credit_is_success_unless_it_is_asked_otherwise() -> None:
    reply = "<answer>March 1978</answer>"
    assert grade(reply, ["March 1977"], config()).soft == 0.0
    assert grade(reply, ["March 1977"], config(soft_metric="token_f1")).soft == 0.5


def test_the_legacy_scorer_is_there_for_old_figures() -> None:
    assert grade("<answer>5 million</answer>", ["5 billion"], config(scorer="legacy")).hard == 1.0
    assert grade("<answer></answer>", ["million"], config(scorer="legacy")).hard == 0.0

"""How answers are judged."""

from typing import Any

import pytest
from reflact_env_qa.scorers import judge, read_answer

OPTIONS = {"A": "red", "B": "blue"}


def hard(reply: str, golds: list[str], scorer: Any = "exact", *, tagged: bool = False, **options: Any) -> float:
    grade = judge(read_answer(reply, tagged=tagged), golds, scorer=scorer, choices=OPTIONS, **options)
    assert bool(grade.feedback) == (grade.hard < 1)
    return grade.hard


@pytest.mark.parametrize(
    ("reply", "right"),
    [
        ("B4/S17", 1),
        ("  B4/S17\n", 1),
        ("<think>bay 4, shelf 17</think>\n\nB4/S17", 1),
        ("b4/s17", 0),
        ("B4/S17.", 0),
        ("`B4/S17`", 0),
        ("The answer is B4/S17", 0),
        ("<answer>B4/S17</answer>", 0),
        ("", 0),
    ],
)
def test_the_whole_reply_must_be_exactly_the_answer(reply: str, right: int) -> None:
    assert hard(reply, ["B4/S17"]) == right


def test_composed_and_decomposed_characters_are_the_same_text() -> None:
    assert hard("Caf\u00e9", ["Cafe\u0301"]) == 1


def test_any_of_several_answers_is_right() -> None:
    assert hard("two", ["one", "two"]) == 1


def test_normalised_answers_may_differ_in_case_and_articles() -> None:
    assert hard("The Bay.", ["bay"], normalize=True) == 1
    assert hard("The Bay.", ["bay"], normalize=False) == 0


@pytest.mark.parametrize(
    ("reply", "right"),
    [
        ("so: <answer>x</answer>", 1),
        ("x", 0),
        ("<answer>y</answer> no, <answer> x </answer>", 1),
        ("<answer>x", 1),
        ("<think><answer>x</answer></think>", 0),
    ],
)
def test_in_tag_format_only_the_tag_counts(reply: str, right: int) -> None:
    assert hard(reply, ["x"], tagged=True) == right


@pytest.mark.parametrize(
    ("reply", "right"),
    [("B", 1), ("(b)", 1), ("Let me see.\nThe answer is B.", 1), ("blue", 1), ("A", 0), ("A or B", 0)],
)
def test_a_choice_is_read_from_the_last_line(reply: str, right: int) -> None:
    assert hard(reply, ["B"], "choice") == right


def test_f1_gives_partial_credit_and_hard_is_the_exact_match() -> None:
    grade = judge(read_answer("the islands of Quill", tagged=False), ["Quill Islands"], scorer="f1", choices={})
    assert grade.hard == 0.0
    assert grade.soft == pytest.approx(0.8)
    assert "token F1 0.80" in grade.feedback


@pytest.mark.parametrize(("reply", "right"), [("AB-12", 1), ("AB-1", 0), ("xAB-12", 0), ("AB-12 ", 1)])
def test_a_pattern_must_match_all_of_the_answer(reply: str, right: int) -> None:
    assert hard(reply, [r"[A-Z]{2}-\d{2}"], "regex") == right


@pytest.mark.parametrize(("reply", "right"), [("12.4 km", 1), ("12.6", 0), ("about 12", 0), ("12 kg", 0)])
def test_a_number_may_be_off_by_the_tolerance(reply: str, right: int) -> None:
    assert hard(reply, ["12 km"], "numeric", tolerance=0.5) == right


@pytest.mark.parametrize(
    ("reply", "golds", "scorer", "feedback"),
    [
        ("b4", ["B4"], "exact", "expected exactly 'B4', got 'b4': the same but for case, punctuation or articles"),
        ("in B4, I think", ["B4"], "exact", "it holds the expected answer, but not alone"),
        ("", ["B4"], "exact", "expected exactly 'B4', got nothing"),
        ("A", ["B"], "choice", "expected B (blue), got 'A': read as A"),
        ("?", ["B"], "choice", "expected B (blue), got '?': no option read"),
        ("a dozen", ["12"], "numeric", "expected the number '12', got 'a dozen': this is not a number alone"),
        ("x", ["a", "b"], "exact", "expected exactly 'a' or 'b', got 'x'"),
    ],
)
def test_the_teacher_is_told_what_was_expected_and_what_came(
    reply: str, golds: list[str], scorer: Any, feedback: str
) -> None:
    assert feedback in judge(read_answer(reply, tagged=False), golds, scorer=scorer, choices=OPTIONS).feedback


def test_the_teacher_is_told_of_a_missing_tag() -> None:
    grade = judge(read_answer("x", tagged=True), ["x"], scorer="exact", choices={})
    assert grade.feedback == "expected 'x', but the reply has no <answer> tag"

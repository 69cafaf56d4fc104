"""The score, and the ways in which it could be wrong."""

from typing import Any

import pytest
from reflact.kit.judge import Verdict
from reflact_env_babyvision.grade import grade, needs_judge, same_text

EXITS = {"A": "Top", "B": "Left", "C": "Right"}
DIGITS = {"A": "2", "B": "0", "C": "1"}


def choice(label: str = "B", options: dict[str, str] = EXITS) -> dict[str, Any]:
    return {"options": options, "label": label, "answers": [], "type": "Visual Tracking"}


def blank(*answers: str) -> dict[str, Any]:
    return {"options": {}, "label": "", "answers": list(answers), "type": "Count"}


def nobody(answer: str) -> Verdict:
    raise AssertionError(f"the judge was asked about {answer!r}")


def says(grade_: str, asked: list[str] | None = None) -> Any:
    def ask(answer: str) -> Verdict:
        if asked is not None:
            asked.append(answer)
        return Verdict(grade=grade_, raw=("…",), model="judge")

    return ask


@pytest.mark.parametrize(
    ("reply", "data", "hard"),
    [
        (r"\boxed{B}", choice(), 1),
        (r"\boxed{(B)}", choice(), 1),
        (r"\boxed{\text{B}}", choice(), 1),
        (r"\boxed{**B**}", choice(), 1),
        (r"\boxed{Ｂ}", choice(), 1),
        (r"\boxed{Option B}", choice(), 1),
        (r"\boxed{B. Left}", choice(), 1),
        (r"\boxed{left}", choice(), 1),
        (r"\boxed{C}", choice(), 0),
        (r"\boxed{Right}", choice(), 0),
        (r"\boxed{A} no, \boxed{B}", choice(), 1),
        (r"\boxed{1}", choice("C", DIGITS), 1),
        (r"\boxed{1}", choice("B", DIGITS), 0),
        ("<|begin_of_box|>B<|end_of_box|>", choice(), 1),
        (r"\boxed{(4,7)}", blank("(4,7)"), 1),
        (r"\boxed{4, 7}", blank("(4,7)"), 1),
        (r"\boxed{（4，7）}", blank("(4,7)"), 1),
        (r"\boxed{(4,7)}", blank("（4，7）"), 1),
        (r"\boxed{\text{Seven}.}", blank("seven"), 1),
        (r"\boxed{$7$}", blank("7"), 1),
        (r"\boxed{b}", blank("a", "B"), 1),
    ],
)
def test_a_rule_decides_without_a_judge(reply: str, data: dict[str, Any], hard: int) -> None:
    """S11, S12, and alternatives each for itself."""
    made = grade(reply, data, mode="auto", ask=nobody)
    assert (made.hard, made.soft) == (hard, hard)
    assert made.extra["decided_by"] == "rule"
    assert bool(made.feedback) == (not hard)


@pytest.mark.parametrize("reply", ["", "I cannot tell", "B", "the answer is B", r"\boxed{}", r"<think>\boxed{B}"])
@pytest.mark.parametrize("mode", ["auto", "always", "never"])
def test_without_a_boxed_answer_nobody_is_asked(reply: str, mode: Any) -> None:
    """S14."""
    made = grade(reply, choice(), mode=mode, ask=nobody)
    assert (made.hard, made.answer) == (0.0, "")
    assert made.feedback.startswith("no_final_answer: ")


@pytest.mark.parametrize(
    ("reply", "data"),
    [
        (r"\boxed{Row 4 Column 17}", blank("(4,17)")),
        (r"\boxed{the way on the left-hand side}", choice()),
        (r"\boxed{B and C}", choice()),
        (r"\boxed{((4,7),1)}", blank("4,7")),
        (r"\boxed{-3}", blank("3")),
        (r"\boxed{10}", blank("1")),
        (r"\boxed{()}", blank("()")),
    ],
)
def test_what_no_rule_decides_goes_to_the_judge(reply: str, data: dict[str, Any]) -> None:
    """S10: nothing is right because it holds, or is held by, the gold."""
    assert grade(reply, data, mode="auto", ask=says("correct")).hard == 1.0
    wrong = grade(reply, data, mode="auto", ask=says("incorrect"))
    assert (wrong.hard, wrong.extra["decided_by"], wrong.extra["judge_model"]) == (0.0, "judge", "judge")
    assert grade(reply, data, mode="never", ask=nobody).hard == 0.0


def test_the_official_way_asks_in_each_case_and_about_the_boxed_answer_alone() -> None:
    asked: list[str] = []
    assert grade(r"I think \boxed{B}", choice(), mode="always", ask=says("incorrect", asked)).hard == 0.0
    assert asked == ["B"]


def test_a_judge_without_a_verdict_is_no_wrong_answer() -> None:
    """S13, S16."""
    made = grade(r"\boxed{somewhere}", choice(), mode="auto", ask=says(""))
    assert (made.outcome, made.error is not None) == ("judge_error", True)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("(4,7)", "4,7", True),
        ("[4,7]", "(4,7)", True),
        ("((4,7))", "4,7", True),
        ("(1,2),(3,4)", "1,2),(3,4", False),
        ("(1,2)", "(1,3)", False),
        ("", "", False),
        ("()", "()", False),
        ("1.5", "15", False),
    ],
)
def test_brackets_count_only_around_a_part(one: str, other: str, *, same: bool) -> None:
    assert same_text(one, other) == same


@pytest.mark.parametrize(
    ("data", "needed"),
    [
        (blank("(4,17)"), False),
        (blank("12"), False),
        (blank("-1.5"), False),
        (blank("C"), False),
        (blank("a red ball"), True),
        (blank("3", "three"), True),
        (choice(), False),
    ],
)
def test_only_answers_in_words_need_a_judge(data: dict[str, Any], *, needed: bool) -> None:
    assert needs_judge(data) == needed

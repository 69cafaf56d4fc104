"""The score: what a rule decides, and what is left to the judge."""

import time
from collections.abc import Callable
from typing import Any

import pytest
from reflact.kit.judge import Verdict
from reflact_env_mathverse.grade import Mode, decide, grade, needs_judge, read_answer
from reflact_env_mathverse.options import gold_labels

OPTIONS = {"A": "40°", "B": "60°", "C": "80°"}


def choice(gold: str, options: dict[str, str] = OPTIONS) -> dict[str, Any]:
    labels = list(gold_labels(gold, options))
    return {**free(gold), "is_choice": True, "options": options, "labels": labels}


def free(gold: str) -> dict[str, Any]:
    told = {"version": "Text Lite", "subject": "Functions", "subfield": "Property"}
    return {"answer": gold, "is_choice": False, "options": {}, "labels": [], **told}


def never(answer: str) -> Verdict:
    raise AssertionError(f"the judge was asked about {answer!r}")


def says(word: str, asked: list[str]) -> Callable[[str], Verdict]:
    def verdict(answer: str) -> Verdict:
        asked.append(answer)
        return Verdict(grade=word, raw=(word,), model="judge")

    return verdict


@pytest.mark.parametrize(
    ("reply", "text", "how"),
    [
        ("so <answer>B</answer>", "B", "tag"),
        ("\\boxed{A} but <answer>B</answer>", "B", "tag"),
        ("thus \\boxed{\\frac{1}{2}}", "\\frac{1}{2}", "box"),
        ("\\boxed{\\sqrt{{{3}}}} and \\boxed{9}", "9", "box"),
        ("<|begin_of_box|>B<|end_of_box|>", "B", "box"),
        ("it is <answer>12 cm", "12 cm", "unclosed"),
        ("Long thoughts.\nThe answer is 12 cm", "12 cm", "fallback"),
        ("Thoughts.\nFinal answer: B", "B", "fallback"),
        ("<think>\\boxed{3}</think>Answer: 4", "4", "fallback"),
        ("İİİİ <answer>abc</answer>", "abc", "tag"),
        ("", "", "none"),
    ],
)
def test_the_answer_is_in_the_tag_the_box_or_the_last_line(reply: str, text: str, how: str) -> None:
    """S8 (a box ended at its first closing brace, or swallowed the next one) and S06 (tags found in changed text)."""
    assert read_answer(reply) == (text, how)


@pytest.mark.parametrize(
    ("gold", "reply", "hard"),
    [
        ("(B)", "<answer>B</answer>", 1),
        ("(B)", "<answer>(B)</answer>", 1),
        ("(B)", "<answer>60°</answer>", 1),
        ("(B)", "<answer>C</answer>", 0),
        ("A\nC", "<answer>C, A</answer>", 1),
        ("A\nC", "<answer>A</answer>", 0),
        ("A\nC", "<answer>A, B, C</answer>", 0),
        ("60°", "<answer>B</answer>", 1),
    ],
)
def test_labels_decide_without_the_judge(gold: str, reply: str, hard: int) -> None:
    """S6: every published form of an expected label can be won, and every other label is wrong."""
    made = grade(reply, choice(gold), mode="auto", verdict=never)
    assert (made.hard, made.soft) == (hard, hard)
    assert bool(made.feedback) == (hard == 0)


@pytest.mark.parametrize(
    ("gold", "answer", "right", "rule"),
    [
        ("\\frac{1}{23}", "\\dfrac{1}{23}", True, "same text"),
        ("\\frac{1}{23}", "\\frac{12}{3}", None, "unlike text"),
        ("62^\\circ ", "62°", True, "same text"),
        ("Area $=113.1 \\mathrm{~cm}^{2}$", "113.1 cm^2", True, "same text"),
        ("11.8", "11.80", True, "number"),
        ("11.8", "11.9", False, "number"),
        ("$r=7.00$", "7", True, "number"),
        ("-3", "3", False, "number"),
        ("4.4 m", "440 cm", None, "unlike text"),
        ("$x=0$", "y=0", None, "unlike text"),
        ("$x=0$", "y=1", None, "unlike text"),
        ("2500", "2500 dollars", None, "unlike text"),
    ],
)
def test_a_free_answer_is_decided_by_spelling_or_number_or_not_at_all(
    gold: str, answer: str, right: bool | None, rule: str
) -> None:
    """S7: fractions with other arguments are not equal."""
    assert decide(read_answer(f"<answer>{answer}</answer>"), free(gold)) == (right, rule)


@pytest.mark.parametrize(("word", "hard"), [("correct", 1), ("incorrect", 0)])
def test_what_no_rule_can_tell_goes_to_the_judge(word: str, hard: int) -> None:
    asked: list[str] = []
    made = grade("<answer>440 cm</answer>", free("4.4 m"), mode="auto", verdict=says(word, asked))
    assert (made.hard, asked, made.extra["decided_by"]) == (hard, ["440 cm"], "judge")


def test_an_undecided_judge_is_no_wrong_answer() -> None:
    """S16: trouble with the judge became a wrong answer for good."""
    made = grade("<answer>440 cm</answer>", free("4.4 m"), mode="auto", verdict=lambda _: Verdict(grade=""))
    assert made.outcome == "judge_error"
    assert made.error


@pytest.mark.parametrize("reply", ["", "  ", "<answer></answer>", "<think>only thoughts"])
@pytest.mark.parametrize("mode", ["auto", "always"])
def test_no_answer_is_wrong_and_nobody_is_asked(reply: str, mode: Mode) -> None:
    """S14 and S02: an empty answer cost a call to the judge, and could be graded right."""
    for data in (free("4.4 m"), choice("B")):
        assert grade(reply, data, mode=mode, verdict=never).hard == 0.0


def test_always_asks_about_labels_too_and_shows_an_unmarked_reply() -> None:
    asked: list[str] = []
    grade("<answer>B</answer>", choice("B"), mode="always", verdict=says("correct", asked))
    grade("So the side is 4.\nIt all fits.", free("4"), mode="always", verdict=says("correct", asked))
    assert asked == ["B", "So the side is 4.\nIt all fits."]


def test_a_problem_needs_a_judge_where_rules_cannot_call_an_answer_wrong() -> None:
    found = [needs_judge(data) for data in (choice("B"), choice("none"), free("11.8"), free("$r=7$"), free("4.4 m"))]
    assert found == [False, True, False, False, True]


def test_a_hostile_reply_is_graded_in_no_time() -> None:
    spaced = f"<answer>{' ' * 10}B{' ,' * 200_000} not {'(' * 200_000}</answer>"
    nested = "\\boxed{" * 50_000 + "Answer [" * 50_000
    for reply in (spaced, nested, "the answer is " * 50_000, "=" * 400_000, "\\text{" * 50_000 + "}" * 50_000):
        started = time.perf_counter()
        grade(reply, choice("B"), mode="never", verdict=never)
        grade(reply, free("1.5"), mode="never", verdict=never)
        assert time.perf_counter() - started < 5.0


def test_the_teacher_is_told_what_was_expected_and_a_report_can_tell_apart() -> None:
    made = grade("<answer>C</answer>", choice("(B)"), mode="auto", verdict=never)
    assert made.feedback == "choice=0: label, got 'C', expected 'B: 60°'"
    assert made.extra["predicted_label"] == "C"
    told = {"version": "Text Lite", "subject": "Functions", "subfield": "Property", "question_type": "multi-choice"}
    assert told.items() <= made.extra.items()

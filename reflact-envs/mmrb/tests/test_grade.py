"""The score, and the ways in which it could be wrong."""

import time
from collections.abc import Callable
from typing import Any

import pytest
from reflact.kit.answers import Answer
from reflact.kit.judge import Verdict
from reflact_env_mmrb.compare import gold_labels, labels_in
from reflact_env_mmrb.grade import Match, Mode, decide, grade, read_answer

PETS = {"A": "cat", "B": "dog", "C": "bird"}


def choice(gold: str, options: dict[str, str] = PETS) -> dict[str, Any]:
    return {"answer": gold, "is_choice": True, "options": options, "labels": list(gold_labels(gold, options))}


def free(gold: str) -> dict[str, Any]:
    return {"answer": gold, "is_choice": False, "options": {}, "labels": []}


def never(answer: str) -> Verdict:
    raise AssertionError(f"the judge was asked about {answer!r}")


def hard(reply: str, data: dict[str, Any], match: Match = "contains") -> float:
    return grade(reply, data, match=match, mode="never", verdict=never).hard


@pytest.mark.parametrize(
    ("reply", "text", "how"),
    [
        ("so <answer>B</answer>", "B", "tag"),
        ("\\boxed{\\frac{1}{2}}", "\\frac{1}{2}", "box"),
        ("\\boxed{\\sqrt{{{3}}}} and \\boxed{9}", "9", "box"),
        ("I take Answer[B], as said", "B", "box"),
        ("thus <answer>-3", "-3", "unclosed"),
        ("It moves.\nThe answer is B.", "B.", "fallback"),
        ("It moves.\n**Final answer:** 1.5", "1.5", "fallback"),
        ("B", "B", "fallback"),
        ("<think>A?</think>\n(B)", "(B)", "fallback"),
        ("First the cat moves, then the dog, and so it cannot be told at all.", "", "none"),
        ("One line.\nAnother line of prose about cats", "", "none"),
        ("", "", "none"),
    ],
)
def test_an_answer_is_marked_or_there_is_none(reply: str, text: str, how: str) -> None:
    """S8 (boxes with braces in them) and S10 (the whole reply was the answer, so that rambling won)."""
    assert read_answer(reply) == (text, how)


@pytest.mark.parametrize("said", ["B", "(B)", "B.", "B. dog", "B: dog", "Option B", "**B**", "dog", "Ｂ", "b"])
@pytest.mark.parametrize("gold", ["B", "(B)", "dog"])
def test_a_label_is_right_in_every_form(gold: str, said: str) -> None:
    """S11: `B. dog`, `(B)` and `Option B` scored 0, and an expected `(B)` could not be won."""
    assert hard(f"<answer>{said}</answer>", choice(gold)) == 1.0


@pytest.mark.parametrize("said", ["A", "(C)", "A. cat", "cat", "B. cat", "A or B", "no idea", "BC", ""])
def test_any_other_label_is_wrong(said: str) -> None:
    assert hard(f"<answer>{said}</answer>", choice("B")) == 0.0


@pytest.mark.parametrize(
    ("said", "right"),
    [
        ("C, A, B", True),
        ("C A B", True),
        ("CAB", True),
        ("C -> A -> B", True),
        ("(C) (A) (B)", True),
        ("C, then A, then B", True),
        ("A, B, C", False),
        ("C, A", False),
        ("CA", False),
        ("C", False),
    ],
)
@pytest.mark.parametrize("gold", ["C, A, B", "CAB", "C-A-B"])
def test_an_order_is_compared_label_by_label(gold: str, said: str, right: bool) -> None:
    assert hard(f"<answer>{said}</answer>", choice(gold)) == float(right)


@pytest.mark.parametrize(
    ("gold", "said", "right"),
    [
        ("-3", "-3", True),
        ("-3", "3", False),
        ("-3", "−3", True),
        ("1.5", "1.50", True),
        ("1.5", "15", False),
        ("1", "10", False),
        ("1,000", "1000", True),
        ("no", "No.", True),
        ("no", "I cannot tell, it does not show", False),
        ("no", "not", False),
        ("10:30", "1030", False),
        ("10:30", "at 10:30", True),
        ("50%", "50", False),
        ("red car", "The red car!", True),
        ("red car", "a red  CAR, I think", True),
        ("red car", "not the red car", False),
        ("red car", "it isn't the red car", False),
        ("red car", "it is that, the red car", True),
        ("red car", "It’s left, the red car", True),
        ("red car", "they can't be the red car", False),
        ("red car", "red carpet", False),
        ("cat", "concatenate", False),
        ("red car", "blue bus", False),
        ("red car", "first a bus, then a tram, then the red car, then a bike came", False),
        ("...", "", False),
        ("Straße", "STRASSE", True),
    ],
)
def test_a_free_answer_keeps_signs_and_whole_words(gold: str, said: str, right: bool) -> None:
    """S10: punctuation was deleted, and either text could be part of the other: `-3` took `3`, `1` took `10`."""
    assert hard(f"<answer>{said}</answer>", free(gold)) == float(right)


def test_strict_takes_no_longer_answer() -> None:
    assert [hard(f"<answer>{said}</answer>", free("red car"), "strict") for said in ("Red car.", "the red car")] == [
        1,
        0,
    ]


def test_labels_are_never_picked_out_of_a_sentence() -> None:
    assert labels_in(Answer("A dog sits beside B", "tag"), PETS, count=1) == ()


def test_an_empty_answer_is_wrong_whoever_grades() -> None:
    """S02: an empty text is part of every text."""
    for mode in ("never", "auto", "always"):
        checked: Mode = mode
        for data in (choice("B"), free("red car")):
            assert grade("", data, match="contains", mode=checked, verdict=never).hard == 0.0


def says(word: str, asked: list[str]) -> Callable[[str], Verdict]:
    def verdict(answer: str) -> Verdict:
        asked.append(answer)
        return Verdict(grade=word, raw=(word,))

    return verdict


def test_the_judge_is_asked_where_no_rule_is_sure_or_always() -> None:
    asked: list[str] = []
    for reply in ("<answer>a crimson automobile</answer>", "<answer>the red car</answer>"):
        made = grade(reply, free("red car"), match="contains", mode="auto", verdict=says("correct", asked))
        assert made.hard == 1.0
    grade("<answer>A</answer>", choice("B"), match="contains", mode="auto", verdict=says("correct", asked))
    assert asked == ["a crimson automobile"]
    grade("<answer>B</answer>", choice("B"), match="contains", mode="always", verdict=says("correct", asked))
    assert asked[1:] == ["B"]


@pytest.mark.parametrize(
    ("reply", "parsed", "official"),
    [
        ("<answer>the red car</answer>", True, True),
        ("<answer>red</answer>", True, True),
        ("<answer>blue</answer>", True, False),
        ("Something moves here, and I would not know what.", False, False),
    ],
)
def test_the_published_rule_and_the_parse_rate_are_told_beside_the_score(
    reply: str, parsed: bool, official: bool
) -> None:
    extra = grade(reply, free("red car"), match="contains", mode="never", verdict=never).extra
    assert (extra["parsed"], extra["official_correct"]) == (parsed, official)


def test_a_hostile_reply_is_graded_in_no_time() -> None:
    spaced = f"<answer>{' ' * 10}B{' ,' * 200_000} not {'(' * 200_000}</answer>"
    nested = "\\boxed{" * 50_000 + "Answer [" * 50_000
    for reply in (spaced, nested, "the answer is " * 50_000, "=" * 400_000, "\\text{" * 50_000 + "}" * 50_000):
        started = time.perf_counter()
        grade(reply, choice("B"), mode="never", verdict=never, match="contains")
        grade(reply, free("1.5"), mode="never", verdict=never, match="contains")
        assert time.perf_counter() - started < 5.0


def test_the_teacher_is_told_what_was_expected() -> None:
    made = grade("<answer>A</answer>", choice("B"), match="contains", mode="never", verdict=never)
    assert made.feedback == "choice=0: labels, got 'A', expected 'B: dog'"
    assert decide(read_answer("<answer>zebra</answer>"), choice("B")).rule == "no label"

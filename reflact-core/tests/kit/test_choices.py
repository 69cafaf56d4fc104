"""Which option an answer means."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reflact.kit.answers import Answer
from reflact.kit.choices import read_choice

OPTIONS = {
    "A": "It is even.",
    "B": "It is odd.",
    "C": "It is prime.",
    "D": "It is zero.",
    "E": "A strictly larger bound holds.",
}
MEANT = {
    "B": (
        "B", "b", "B.", "(B)", "**B**", "$B$", r"\boxed{B}", r"$\boxed{\text{B}}$", "Option B", "The answer is B",
        "choice: B", "B. It is odd.", "B: It is odd", "It is odd", "Final answer: B",
    ),
    "C": ("A careful analysis shows C", "Answer: [C]", "C because it is prime"),
    "A": ("A", "A is correct"),
    "D": ("The correct option is (D).",),
    "E": ("A strictly larger bound holds.",),
    "": ("A or B", "Both A and C", "I choose B, not A", "A bound", "F", "none", ""),
}  # fmt: skip


@pytest.mark.parametrize(("label", "text"), [(label, text) for label, texts in MEANT.items() for text in texts])
def test_an_option_is_read_however_it_is_named(label: str, text: str) -> None:
    assert read_choice(Answer(text, "tag"), OPTIONS).label == label


def test_without_a_tag_a_label_in_a_sentence_is_not_taken() -> None:
    assert read_choice(Answer("A careful analysis shows C", "fallback"), OPTIONS) == ("", "unparsed")
    assert read_choice(Answer("The answer is C", "fallback"), OPTIONS) == ("C", "label words")


def test_options_of_equal_text_are_not_told_apart_by_it() -> None:
    assert read_choice(Answer("same", "tag"), {"A": "same", "B": "Same."}).label == ""


def test_options_that_are_numbers_or_signs_are_found_by_their_text() -> None:
    options = {"A": "3", "B": "+", "C": "π"}
    assert [read_choice(Answer(text, "tag"), options).label for text in ("3", "+", "π", "4")] == ["A", "B", "C", ""]


@given(st.text())
def test_any_answer_means_an_option_or_none(text: str) -> None:
    assert read_choice(Answer(text, "tag"), OPTIONS).label in {*OPTIONS, ""}

"""Options in a problem's text, and the labels an answer means."""

import pytest
from reflact.kit.answers import Answer
from reflact_env_mathverse.options import gold_labels, labels_in, taken_apart

ANGLES = {"A": "40°", "B": "60°", "C": "80°"}


@pytest.mark.parametrize("head", ["Choices:", "Choice:", "choices :"])
@pytest.mark.parametrize("form", ["{}:40°", "{}. 40°", "({}) 40°", "{})40°"])
def test_a_block_of_options_is_taken_out_of_the_question(head: str, form: str) -> None:
    lines = "\n".join(form.format(label) for label in "ABC")
    assert taken_apart(f"Find C. ()\n{head}\n{lines}") == ("Find C. ()", {"A": "40°", "B": "40°", "C": "40°"})


def test_a_label_in_the_middle_of_a_line_starts_no_option() -> None:
    """S9: `X:` anywhere was taken for a new option."""
    asked = taken_apart("Find x.\nChoices:\nA:20°\nB:60° angle A: 30\nC:as D. says")
    assert asked.options == {"A": "20°", "B": "60° angle A: 30", "C": "as D. says"}


@pytest.mark.parametrize("lines", ["A:1\nC:2", "A:1\nA:2", "B:1\nC:2", "first\nsecond", "A:1", ""])
def test_labels_out_of_turn_leave_the_block_in_the_question(lines: str) -> None:
    """S9: labels that come twice or out of turn made options that nobody wrote."""
    question = f"Find x.\nChoices:\n{lines}".strip()
    assert taken_apart(question) == (question, {})


def test_an_option_without_text_is_kept() -> None:
    """S9: an item lost its options when one of them had no text."""
    assert taken_apart("Which?\nChoices:\nA:\nB:\nC:").options == {"A": "", "B": "", "C": ""}


def test_a_line_without_a_label_belongs_to_the_option_before() -> None:
    assert taken_apart("Find x.\nChoices:\nA:26°\nB:54°\n102").options == {"A": "26°", "B": "54°\n102"}


@pytest.mark.parametrize(
    ("gold", "options", "labels"),
    [
        ("B", ANGLES, ("B",)),
        ("(B)", ANGLES, ("B",)),
        ("C\nA", ANGLES, ("A", "C")),
        ("False", {"A": "True", "B": "False"}, ("B",)),
        ("053 ^\\circ T", {"A": "053 ^\\circ T", "B": "082 ^\\circ T"}, ("A",)),
        ("(C)", {}, ("C",)),
        ("none of these", ANGLES, ()),
    ],
)
def test_expected_answers_of_every_published_form_mean_labels(
    gold: str, options: dict[str, str], labels: tuple[str, ...]
) -> None:
    """S6: `(B)`, `False`, a bearing and `C\\nD` could not be won, whatever the student said."""
    assert gold_labels(gold, options) == labels


@pytest.mark.parametrize(
    "text",
    ["B", "b", "(B)", "B.", "B)", "B:", "**B**", "\\boxed{B}", "$B$", "\\text{B}", "Option B", "Final answer: B", "Ｂ",
     "B. 60°", "(B) 60^\\circ", "B: $60°$", "60°", "60 degrees", "B, not C"],
)  # fmt: skip
def test_a_label_is_read_in_every_form(text: str) -> None:
    """S03 (choices): only `B` and `B) …` used to pass."""
    assert labels_in(Answer(text, "tag"), ANGLES) == ("B",)


@pytest.mark.parametrize(
    "text", ["It is the angle at B that we want", "A or maybe nothing", "A or C", "B. 80°", "70°", "", "E"]
)
def test_no_label_is_picked_out_of_a_sentence_or_against_its_text(text: str) -> None:
    assert labels_in(Answer(text, "tag"), ANGLES) == ()


@pytest.mark.parametrize("text", ["A, C", "C and A", "A\nC", "(A) (C)", "A; C", "A & C"])
def test_several_labels_have_no_order(text: str) -> None:
    assert labels_in(Answer(text, "tag"), ANGLES) == ("A", "C")


def test_options_that_differ_in_a_sign_are_told_apart() -> None:
    options = {"A": "$x>0$", "B": "$x<0$", "C": "-3", "D": "3"}
    assert [labels_in(Answer(text, "tag"), options) for text in ("x<0", "x > 0", "3", "-3")] == [
        ("B",),
        ("A",),
        ("D",),
        ("C",),
    ]

"""What plain code says about a batch's right answers."""

from __future__ import annotations

import pytest
from reflact.stages.evidence import evidence
from reflact.types import Rollout


def rollout(right: str, question: str = "", answer: str = "", *, hard: float = 0.0) -> Rollout:
    return Rollout(task_id=right, hard=hard, soft=hard, question=question, expected=(right,), answer=answer)


def test_answers_that_keep_coming_back_are_named_as_a_closed_set() -> None:
    line = evidence([rollout(label) for label in ("red", "blue", "red", "blue", "red")])
    assert "Every right answer is one of: blue, red." in line


def test_answers_that_are_all_different_are_no_closed_set() -> None:
    assert "one of" not in evidence([rollout(label) for label in ("red", "blue", "green", "teal")])


def test_digits_of_equal_length_are_written_as_D() -> None:
    line = evidence([rollout("1987-03-14"), rollout("2001-11-30"), rollout("1999-07-02")])
    assert "the form DDDD-DD-DD (D is a digit)." in line


def test_numbers_of_unequal_length_are_written_as_number_and_common_words_stay() -> None:
    line = evidence([rollout("7 litres"), rollout("120 litres"), rollout("31 litres")])
    assert "the form <number> litres (<number> is a number)." in line


def test_a_decimal_and_a_whole_number_have_a_common_form() -> None:
    line = evidence([rollout("7 km"), rollout("12.5 km"), rollout("1,200 km")])
    assert "the form <number> km (<number> is a number)." in line


def test_letters_are_written_as_the_class_they_belong_to() -> None:
    line = evidence([rollout("Reed, AB"), rollout("Moss, KL"), rollout("Heather, QX")])
    assert "the form <Word>, AA (A is a capital letter, <Word> is a word with a capital)." in line


def test_answers_of_unequal_build_are_described_by_how_they_begin_and_end() -> None:
    line = evidence([rollout("id: tall oak!!"), rollout("id: elm!!"), rollout("id: a very old ash!!")])
    assert "Every right answer begins with 'id: ' and ends with '!!'." in line


def test_equal_answers_do_not_break_the_search_for_a_common_start() -> None:
    assert "the form" in evidence([rollout("oak"), rollout("oak"), rollout("elm")])


def test_answers_found_in_the_question_are_called_copied() -> None:
    items = [
        ("the elm", "Is it the elm or the ash?"),
        ("Ann", "Did Ann or Bo call?"),
        ("two keys", "Here are two keys."),
    ]
    line = evidence([rollout(right, question) for right, question in items])
    assert "Every right answer is copied word for word from the question." in line


def test_answers_in_another_case_than_in_the_question_are_called_so() -> None:
    line = evidence([rollout("ELM", "the elm fell"), rollout("ASH", "an ash stood"), rollout("RED OAK", "a red oak")])
    assert "small and capital letters differ" in line


def test_numbers_taken_over_without_a_common_form_are_pointed_out() -> None:
    items = [("12 l", "It holds 12 litres."), ("7 ml left", "Some 7 millilitres are left."), ("no. 150", "Take 150.")]
    assert "Their numbers stand in the question." in evidence([rollout(*item) for item in items])


def test_the_length_is_told_against_that_of_the_students_answers() -> None:
    line = evidence([rollout(right, answer="I think it is hard to say") for right in ("a b", "c d", "e f g")])
    assert "Length in words: right answers 2 to 3, the student's 7." in line


def test_a_right_answer_inside_a_longer_one_is_counted() -> None:
    wordy = [rollout(right, answer=f"It is {right}.") for right in ("Ann", "Bo")]
    assert "In 2 of 3 failures the student put other words around" in evidence(
        [*wordy, rollout("Cy", answer="No idea")]
    )


def test_the_form_of_the_wrong_answers_is_told() -> None:
    pairs = [("12:30", "12h30"), ("07:45", "07h45"), ("23:05", "23h05")]
    assert "wrong answers have the form DDhDD" in evidence([rollout(right, answer=said) for right, said in pairs])


def test_empty_answers_are_called_empty() -> None:
    assert "The student's answers were empty." in evidence([rollout("a"), rollout("b"), rollout("c")])


def test_a_success_counts_for_the_form_but_not_as_a_wrong_answer() -> None:
    solved = [rollout(right, answer=right, hard=1.0) for right in ("12:30", "07:45", "23:05")]
    line = evidence(solved)
    assert "DD:DD" in line
    assert "wrong" not in line


@pytest.mark.parametrize(
    "rollouts",
    [
        [],
        [rollout("a"), rollout("b")],
        [Rollout(task_id=str(i), hard=0, soft=0, answer="x") for i in range(5)],
        [Rollout(task_id=str(i), hard=0, soft=0, expected=("x",), outcome="timeout") for i in range(5)],
    ],
)
def test_too_little_to_go_by_gives_an_empty_line(rollouts: list[Rollout]) -> None:
    assert evidence(rollouts) == ""


def test_a_place_with_few_words_or_signs_lists_them() -> None:
    line = evidence([rollout(right) for right in ("+7 mm", "-12 mm", "+31 cm", "-4 cm", "+20 mm")])
    assert "the form (+ or -)<number> (cm or mm) (<number> is a number)." in line


def test_a_right_answer_that_only_starts_a_longer_word_does_not_count_as_copied() -> None:
    line = evidence([rollout(f"{n} g", f"It weighs {n} grams.", f"{n} grams") for n in (5, 17, 230)])
    assert "word for word" not in line
    assert "other words around" not in line

"""What counts as a verdict, and what does not."""

import pytest
from reflact.kit.verdicts import THREE_GRADES, TWO_GRADES, read_verdict


@pytest.mark.parametrize(
    "reply",
    [
        "true",
        "True.",
        "**Correct**",
        "`yes`",
        "1",
        '{"correct": true}',
        '{"reason": "same", "grade": "correct"}',
        '```json\n{"verdict": "correct"}\n```',
        "Both name the same place.\nTrue",
        "True\nBoth name the same place.",
        "<think>incorrect? no: it is right</think>\ncorrect",
        'They agree.\n{"grade": "correct"}',
        "True\nbecause they agree\nTrue",
    ],
)
def test_a_whole_line_or_an_object_is_a_verdict(reply: str) -> None:
    reading = read_verdict(reply, TWO_GRADES)
    assert reading and reading.grade == "correct"


@pytest.mark.parametrize(
    "reply", ["INCORRECT", "false", "No", "0", '{"correct": false}', '{"grade": "incorrect", "reason": "it is true"}']
)
def test_a_no_is_a_no_though_other_words_are_in_it(reply: str) -> None:
    reading = read_verdict(reply, TWO_GRADES)
    assert reading and reading.grade == "incorrect"


@pytest.mark.parametrize(
    "reply",
    [
        "",
        " \n",
        "untrue",
        "It is not true",
        "not correct",
        "The answer is correct",
        "CORRECT or INCORRECT",
        "true false",
        "True\nNo, wait.\nFalse",
        '{"correct": true, "grade": "incorrect"}',
        '{"correct": true, "correct": false}',
        '{"correct": "perhaps"}',
        '{"right": true}',
        "[true]x",
        '["correct"]x',
        "<think>true</think>",
        "<think>true",
        "[" * 5000,
    ],
)
def test_prose_contradictions_and_silence_are_no_verdict(reply: str) -> None:
    assert read_verdict(reply, TWO_GRADES) is None


def test_a_reason_is_kept() -> None:
    reading = read_verdict('{"reason": "same place", "grade": "correct"}', TWO_GRADES)
    assert reading == ("correct", "same place")


@pytest.mark.parametrize(
    ("reply", "grade"),
    [("NOT_ATTEMPTED", "not_attempted"), ("not attempted", "not_attempted"), ('{"grade": "Correct"}', "correct")],
)
def test_a_scale_may_have_more_grades(reply: str, grade: str) -> None:
    reading = read_verdict(reply, THREE_GRADES)
    assert reading and reading.grade == grade


def test_a_grade_of_another_scale_is_no_verdict() -> None:
    assert read_verdict("not_attempted", TWO_GRADES) is None

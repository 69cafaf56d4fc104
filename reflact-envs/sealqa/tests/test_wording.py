"""The rule that compares an answer with the references by their words."""

import pytest
from reflact_env_sealqa.wording import by_wording, says


@pytest.mark.parametrize(
    ("answer", "gold"),
    [
        ("Seven", "Seven"),
        ("seven.", "The Seven"),
        ("7", "Seven"),
        ("seven rings", "7 rings"),
        ("twenty", "20"),
        ("zero", "0"),
        ("It has seven", "Seven"),
        ("It was Port Sarn, in Velm", "Port Sarn"),
        ("...", "..."),
    ],
)
def test_an_answer_in_the_words_of_the_reference_is_right(answer: str, gold: str) -> None:
    assert says(answer, [gold])


@pytest.mark.parametrize(
    ("answer", "gold"),
    [
        ("2019", "2"),
        ("2", "2019"),
        ("eight", "Seven"),
        ("seventeen", "Seven"),
        ("", "Seven"),
        ("Seven", "Seven rings"),
        ("Port of Sarn", "Port Sarn"),
        ("Sarn Port", "Port Sarn"),
        ("The", "..."),
        ("It may be seven", "Seven"),
    ],
)
def test_an_answer_in_other_words_or_in_too_many_is_not(answer: str, gold: str) -> None:
    """BUG 6 of sealqa: "2" was found in "2019", and the other way round."""
    assert not says(answer, [gold])


@pytest.mark.parametrize(("words", "right"), [(6, True), (7, False)])
def test_an_answer_may_have_three_times_the_words_of_the_reference(words: int, right: bool) -> None:
    assert says(" ".join(["port sarn", *["so"] * (words - 2)]), ["Port Sarn"]) == right


def test_any_of_several_references_will_do() -> None:
    assert says("Velm", ["Port Sarn", "Velm"])


def test_a_verdict_by_wording_names_no_model() -> None:
    found = [by_wording(answer, ["Seven"]) for answer in ("7", "8", " ")]
    assert [one.grade for one in found] == ["correct", "incorrect", "not_attempted"]
    assert {(one.model, one.raw) for one in found} == {("", ())}

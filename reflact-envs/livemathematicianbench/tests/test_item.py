"""One form for every form a question comes in, and what is refused."""

from typing import Any

import pytest
from reflact import DataError
from reflact_env_livemathematicianbench.item import is_meta, normalized, refers_to_labels

CHOICES = [{"label": "A", "text": "It is even."}, {"label": "B", "text": "It is odd."}]


def raw(**changes: Any) -> dict[str, Any]:
    mcq = {"question": "How many petals?", "choices": CHOICES, "correct_choice": CHOICES[0]}
    given = {"no": 7, "theorem": "T", "sketch": "S", "theorem_type": ["Universal", "Bound"], "mcq": mcq}
    nested = {key: changes.pop(key) for key in ("question", "choices", "correct_choice") if key in changes}
    return {**given, **changes, "mcq": {**mcq, **nested}}


def test_a_raw_record_becomes_flat_and_stays_as_it_is_when_read_again() -> None:
    found = normalized(raw(), month="202511", source="qa_202511_final.json")
    assert (found["id"], found["month"], found["no"], found["source_path"]) == (
        "202511:7",
        "202511",
        "7",
        "qa_202511_final.json",
    )
    assert found["correct_choice"] == {"label": "A", "text": "It is even."}
    assert normalized(found) == found


def test_a_month_of_its_own_comes_before_that_of_the_file() -> None:
    assert normalized(raw(month=202601), month="202511")["id"] == "202601:7"


@pytest.mark.parametrize(
    "choices",
    [
        ["It is even.", "It is odd."],
        {"A": "It is even.", "B": "It is odd."},
        [{"label": "A", "content": "It is even."}, {"label": "B", "content": "It is odd."}],
        [{"label": "1", "text": "It is even."}, {"label": "2", "text": "It is odd."}],
    ],
)
@pytest.mark.parametrize("correct", ["B", "b", "It is odd.", {"label": "B"}, {"label": "B", "text": "It is odd."}])
def test_choices_and_the_right_one_come_in_many_forms(choices: Any, correct: Any) -> None:
    found = normalized(raw(choices=choices, correct_choice=correct), month="202511")
    assert found["choices"] == CHOICES
    assert found["correct_choice"] == {"label": "B", "text": "It is odd."}


def test_labels_of_the_record_are_kept_in_its_order() -> None:
    choices = {"B": "first", "A": "second"}
    found = normalized(raw(choices=choices, correct_choice="A"), month="202511")
    assert [one["label"] for one in found["choices"]] == ["B", "A"]
    assert found["correct_choice"] == {"label": "A", "text": "second"}


def test_numbered_choices_are_named_by_their_own_label() -> None:
    found = normalized(raw(choices={"1": "one", "2": "two"}, correct_choice="2"), month="202511")
    assert found["correct_choice"] == {"label": "B", "text": "two"}


def test_there_are_letters_for_26_choices_and_not_for_more() -> None:
    many = [f"choice {n}" for n in range(27)]
    assert len(normalized(raw(choices=many[:26], correct_choice="Z"), month="202511")["choices"]) == 26
    with pytest.raises(DataError, match="27 choices; there must be 2 to 26"):
        normalized(raw(choices=many, correct_choice="A"), month="202511")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"no": None}, "no field 'no'"),
        ({"question": " "}, "no question"),
        ({"choices": None}, "no choices"),
        ({"choices": ["one"]}, "1 choices; there must be 2 to 26"),
        ({"choices": ["same", "other", " Same"]}, "choices A and C say the same"),
        ({"choices": ["x", " "]}, "choice B is empty"),
        ({"choices": [["x"], "y"]}, "a choice must be a text, not list"),
        ({"correct_choice": "C"}, "correct_choice 'C' is neither a label"),
        ({"correct_choice": None}, "correct_choice None is neither a label"),
        (
            {"correct_choice": {"label": "A", "text": "It is odd."}},
            "says A and 'It is odd.', which is not the text of A",
        ),
        ({"theorem": ["T"]}, "field 'theorem' must be text, not list"),
    ],
)
def test_a_record_that_cannot_be_asked_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError) as refused:
        normalized(raw(**changes), month="202511")
    assert message in str(refused.value)


def test_a_record_without_a_month_is_refused() -> None:
    with pytest.raises(DataError, match="no month: neither a field 'month', nor six digits"):
        normalized(raw())


@pytest.mark.parametrize(
    ("text", "meta"),
    [
        ("Exactly one of the other statements is correct, but a stronger one can be shown.", True),
        ("One of the remaining options is right; however, something stronger can be proved.", True),
        ("A strictly stronger bound holds.", False),
        ("None of the other options is correct.", False),
        ("One of the remaining vertices is isolated.", False),
    ],
)
def test_a_meta_option_is_told_from_a_claim(text: str, meta: bool) -> None:
    assert is_meta(text) == meta


@pytest.mark.parametrize(
    ("text", "refers"),
    [
        ("Both A and C hold.", True),
        ("Option (B) is true", True),
        ("None of the above.", True),
        ("all of the others", True),
        ("Both X and Y are tame.", False),
        ("Both a vertex and an edge.", False),
        ("The group A is abelian.", False),
        ("Either $A$ or its dual is tame.", False),
    ],
)
def test_a_choice_that_speaks_of_others_is_found(text: str, refers: bool) -> None:
    assert refers_to_labels(["plain", "simple", text]) == refers

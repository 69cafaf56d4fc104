"""From the user's records to tasks."""

from typing import Any

import pytest
from pydantic import ValidationError
from reflact import DataError
from reflact_env_qa.config import QAConfig
from reflact_env_qa.records import to_task

RAW = {"id": "q1", "question": "Which shelf?", "answer": "B4/S17"}


def data(raw: dict[str, Any], **config: Any) -> dict[str, Any]:
    return dict(to_task(raw, config=QAConfig(**config)).data)


def test_a_record_needs_a_question_and_an_answer_only() -> None:
    task = to_task({"question": "Which shelf?", "answer": "B4/S17"}, config=QAConfig())
    assert task.kind == "default"
    assert task.data == {
        "question": "Which shelf?",
        "context": "",
        "answers": ["B4/S17"],
        "choices": {},
        "scorer": "exact",
    }


def test_a_missing_id_is_made_from_question_and_context() -> None:
    first = to_task({"question": "Which?", "answer": "a"}, config=QAConfig())
    assert first.id == to_task({"question": "Which?", "answer": "b", "id": ""}, config=QAConfig()).id
    assert first.id != to_task({"question": "Which?", "answer": "a", "context": "c"}, config=QAConfig()).id
    assert first.id.startswith("q-")


def test_fields_may_have_other_names() -> None:
    raw = {"nr": 7, "q": "Which shelf?", "a": "B4", "topic": "shelves", "answer": "ignored"}
    task = to_task(raw, config=QAConfig(fields={"id": "nr", "question": "q", "answer": "a", "kind": "topic"}))
    assert (task.id, task.kind, task.data["question"], task.data["answers"]) == ("7", "shelves", "Which shelf?", ["B4"])


def test_a_field_that_does_not_exist_cannot_be_mapped() -> None:
    with pytest.raises(ValidationError, match=r"unknown field 'anser'\. Did you mean 'answer'"):
        QAConfig(fields={"anser": "a"})


@pytest.mark.parametrize(
    ("fields", "golds"),
    [
        ({"answers": ["a", "b", "a", " "]}, ["a", "b"]),
        ({"answers": "a|b"}, ["a", "b"]),
        ({"answers": '["a|b", 3]'}, ["a|b", "3"]),
        ({"answers": "[a] or b"}, ["[a] or b"]),
        ({"answer": "a|b"}, ["a|b"]),
        ({"answer": ["a", "b"]}, ["a", "b"]),
        ({"answer": 42}, ["42"]),
        ({"answer": 0.1}, ["0.1"]),
        ({"answer": True}, ["true"]),
        ({"answer": "a", "answers": ["b"]}, ["a", "b"]),
        ({"answer": 0}, ["0"]),
    ],
)
def test_several_answers_may_be_right(fields: dict[str, Any], golds: list[str]) -> None:
    assert data({"question": "Which?", **fields})["answers"] == golds


@pytest.mark.parametrize(
    "choices", [["red", "blue"], {"a": "red", "B": "blue"}, "red|blue", '["red", "blue"]', ("red", "blue")]
)
@pytest.mark.parametrize("answer", ["B", "blue"])
def test_choices_are_labelled_and_the_answer_is_a_label(choices: Any, answer: str) -> None:
    made = data({"question": "Which?", "answer": answer, "choices": choices, "scorer": "choice"})
    assert made["choices"] == {"A": "red", "B": "blue"}
    assert made["answers"] == ["B"]


def test_a_record_may_have_a_scorer_of_its_own() -> None:
    assert data({**RAW, "scorer": "f1"}, scorer="exact")["scorer"] == "f1"
    assert data({**RAW, "scorer": ""}, scorer="regex")["scorer"] == "regex"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"question": " "}, "no field 'question'; the record has id, question, answer"),
        ({"question": ["x"]}, "question must be text, not list"),
        ({"answer": ""}, r"no field 'answer' \(or answers\)"),
        ({"answer": {"x": 1}}, "answer must be text, not dict"),
        ({"scorer": "xyz"}, "unknown scorer 'xyz'. Known: choice, exact, f1, numeric, regex"),
        ({"scorer": "numeric"}, "answer 'B4/S17' is not a number"),
        ({"scorer": "regex", "answer": "("}, r"answer '\(' is not a regular expression: missing \)"),
        ({"scorer": "choice"}, "no field 'choices', which the scorer 'choice' needs"),
        ({"scorer": "choice", "choices": ["a", "b"]}, r"neither a label \(A, B\) nor the text of one option"),
        ({"scorer": "choice", "choices": {"A1": "a"}}, "labelled with one letter each"),
        ({"choices": [str(n) for n in range(27)]}, "27 choices; there are letters for 26"),
    ],
)
def test_what_cannot_be_asked_or_judged_is_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        data({**RAW, **fields})


def test_a_missing_mapped_field_is_called_by_its_own_name() -> None:
    with pytest.raises(DataError, match=r"no field 'q' \(the question\); the record has id, question, answer"):
        data(RAW, fields={"question": "q"})

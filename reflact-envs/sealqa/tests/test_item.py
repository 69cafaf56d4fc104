"""Records become tasks with one identity each; lists are understood however a table writes them."""

from typing import Any

import pytest
from reflact import DataError
from reflact_env_sealqa.cells import listed
from reflact_env_sealqa.item import to_task

RAW = {
    "question": "How many rings did Oruna have after the survey of 2019?",
    "answer": "Seven",
    "urls": ["https://example.org/oruna"],
    "freshness": "slow-changing",
    "question_types": ["advanced reasoning"],
    "effective_year": "before 2024",
    "search_results": "conflicting",
    "topic": "Science",
    "canary": "demo-canary",
    "12_docs": [{"title": "Survey", "text": "Seven rings.", "date": "2019-06-01", "url": "https://example.org/s"}],
    "20_docs": [{"title": "Other", "text": "Six rings."}, "A plain text."],
}


def task(**changes: Any) -> Any:
    return to_task({**RAW, **changes}, docs_field="12_docs")


def test_an_item_without_an_id_has_the_same_one_wherever_it_lies() -> None:
    """BUG 1 of sealqa: the id was a running number of the split, so that three splits shared their ids."""
    assert task().id == task(canary="other", answer="7").id
    assert task().id.startswith("seal-") and len(task().id) == 17
    assert task(question="Another?").id != task().id
    assert (task(id="own").id, task(question_id=7).id) == ("own", "7")


def test_the_columns_of_the_published_data_are_kept() -> None:
    found = task()
    assert (found.kind, found.data["answers"]) == ("Science", ["Seven"])
    assert (found.data["freshness"], found.data["difficulty_label"]) == ("slow-changing", "conflicting")
    assert (found.data["canary"], found.data["urls"]) == ("demo-canary", ["https://example.org/oruna"])


def test_the_documents_of_the_named_field_are_numbered() -> None:
    (document,) = task().data["docs"]
    assert document == {
        "id": "1",
        "title": "Survey",
        "text": "Seven rings.",
        "date": "2019-06-01",
        "url": "https://example.org/s",
    }
    other = to_task(RAW, docs_field="20_docs").data["docs"]
    assert [(one["id"], one["text"]) for one in other] == [("1", "Six rings."), ("2", "A plain text.")]
    assert to_task({**RAW, "docs": ["x"]}, docs_field="30_docs").data["docs"][0]["text"] == "x"


@pytest.mark.parametrize(
    "written",
    [
        ["a, b", "it's"],
        '["a, b", "it\'s"]',
        "['a, b', \"it's\"]",
        "['a, b' \"it's\"]",
        "array(['a, b', \"it's\"], dtype=object)",
        "['a, b'\n \"it's\"]",
    ],
)
def test_a_list_in_a_cell_may_be_written_as_json_python_or_numpy(written: object) -> None:
    assert listed(written) == ["a, b", "it's"]


def test_records_in_a_cell_are_understood_as_well() -> None:
    written = "[{'title': 'A', 'text': 'x [1] {y}'}\n {'title': 'B', 'text': \"it's\"}]"
    assert listed(written) == [{"title": "A", "text": "x [1] {y}"}, {"title": "B", "text": "it's"}]


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("one", ["one"]),
        ("", []),
        (None, []),
        (7, [7]),
        ("[broken", ["[broken"]),
        ("[]", []),
        ("['a']", ["a"]),
        ("[__import__('os').system('true')]", ["[__import__('os').system('true')]"]),
    ],
)
def test_a_cell_that_is_no_list_is_its_only_entry_and_nothing_is_evaluated(written: object, found: list[Any]) -> None:
    assert listed(written) == found


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"question": ""}, "a record without a question"),
        ({"question": "", "id": "x"}, "'x' has no question"),
        ({"answer": " "}, "has no answer"),
        ({"12_docs": [{"title": "no text"}]}, "document 1 has no text"),
    ],
)
def test_a_record_that_cannot_be_used_says_why_without_giving_it_away(change: dict[str, Any], told: str) -> None:
    with pytest.raises(DataError, match=told) as raised:
        task(**change)
    for secret in ("Oruna", "Seven", "demo-canary"):
        assert secret not in str(raised.value)

"""Records of every edition become tasks; what cannot be used is told."""

import pytest
from reflact import DataError
from reflact_env_officeqa.item import names_in, to_task

FIRST = {
    "uid": "UID9001",
    "question": "What were receipts?",
    "answer": "2,602",
    "source_docs": "https://example.org/a?page=12\r\nhttps://example.org/b?x=1&page=3",
    "source_files": "treasury_bulletin_1951_07.txt\r\ntreasury_bulletin_1951_08.txt",
    "difficulty": "easy",
}
SECOND = {
    "uid": "P1",
    "question": "What were receipts?",
    "answer": "7",
    "source_docs": "corpus_file=a.txt | pdf_page_number=4 | year=1951;corpus_file=b.txt | pdf_page_number=9 | year=52",
    "source_files": "a.txt;b.txt",
}


@pytest.mark.parametrize(
    "written",
    [
        ["a.txt", "b.txt"],
        '["a.txt", "b.txt"]',
        "['a.txt', 'b.txt']",
        "a.txt\nb.txt",
        "a.txt\r\nb.txt\r\n",
        "a.txt;b.txt",
        "a.txt; b.txt;",
        "a.txt, b.txt",
        "a.txt,b.txt",
    ],
)
def test_a_list_of_files_may_be_written_in_any_usual_way(written: object) -> None:
    """BUG 1 of officeqa: `;` and commas were missed, so that several names were one that no file had."""
    assert names_in(written) == ["a.txt", "b.txt"]


def test_commas_in_addresses_separate_nothing() -> None:
    assert names_in("https://example.org/a,b?page=1\nhttps://example.org/c") == [
        "https://example.org/a,b?page=1",
        "https://example.org/c",
    ]
    assert names_in("a.txt, the second one") == ["a.txt, the second one"]


@pytest.mark.parametrize("empty", [None, "", " ", [], "[]", [""], ";"])
def test_no_names_are_an_empty_list(empty: object) -> None:
    assert names_in(empty) == []


def test_a_record_of_the_first_edition() -> None:
    task = to_task(FIRST)
    assert (task.id, task.kind, task.data["answers"]) == ("UID9001", "easy", ["2,602"])
    assert task.data["pages"] == {"treasury_bulletin_1951_07.txt": [12], "treasury_bulletin_1951_08.txt": [3]}


def test_a_record_of_the_second_edition() -> None:
    task = to_task(SECOND)
    assert (task.kind, task.data["source_files"]) == ("officeqa", ["a.txt", "b.txt"])
    assert task.data["pages"] == {"a.txt": [4], "b.txt": [9]}


def test_files_that_are_only_named_in_the_documents_are_found() -> None:
    assert to_task({**SECOND, "source_files": ""}).data["source_files"] == ["a.txt", "b.txt"]


def test_older_names_and_numbers_as_answers_are_taken() -> None:
    task = to_task({"id": 7, "question": "q", "ground_truth": 507, "category": "tables"})
    assert (task.id, task.kind, task.data["answers"]) == ("7", "tables", ["507"])
    assert to_task({"id": 7, "question": "q", "answers": [0, "none"]}).data["answers"] == ["0", "none"]


def test_an_answer_in_brackets_is_one_answer() -> None:
    assert to_task({**FIRST, "answer": "[1, 2, 3]"}).data["answers"] == ["[1, 2, 3]"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"uid": ""}, "no id"),
        ({"question": " "}, "'UID9001' has no question"),
        ({"answer": ""}, "'UID9001' has no answer"),
    ],
)
def test_a_record_that_cannot_be_used_says_why(change: dict[str, str], told: str) -> None:
    with pytest.raises(DataError, match=told):
        to_task({**FIRST, **change})

"""Searching and opening documents offline."""

import json
from pathlib import Path

import pytest
from reflact import DataError
from reflact_env_sealqa.documents import Document, Library, read_folders, snippet
from reflact_env_sealqa.offline import offline_tools
from reflact_env_sealqa.slices import sliced

LIBRARY = Library(
    [
        Document(id="1", title="Survey", text="Oruna was counted anew: seven rings. " * 5, date="2019"),
        Document(id="2", title="Almanac", text="Oruna has six rings.", date="2011"),
        Document(id="3", title="Harbor", text="Ferries of Veshti leave at noon."),
    ]
)


def call(name: str, arguments: str, library: Library = LIBRARY) -> tuple[str, bool]:
    return next(one for one in offline_tools(library) if one.name == name)(arguments)


def test_documents_with_rarer_words_of_the_query_come_first_and_others_not_at_all() -> None:
    assert [one.id for one in LIBRARY.search("ORUNA six rings", 5)] == ["2", "1"]
    assert [one.id for one in LIBRARY.search("Veshti", 5)] == ["3"]
    assert LIBRARY.search("nothing like it", 5) == []
    assert Library([]).search("x", 5) == []


def test_a_search_lists_numbers_titles_dates_and_snippets() -> None:
    said, worked = call("search", '{"query": "Veshti ferries", "k": 1}')
    assert (said, worked) == ("[3] Harbor\nFerries of Veshti leave at noon.", True)
    assert call("search", '{"query": "zzz"}') == ("[nothing found]", True)


def test_a_snippet_is_short_and_around_a_word_of_the_query() -> None:
    long = Document(id="1", title="", text="x " * 1000 + "needle " + "y " * 1000)
    assert "needle" in snippet(long, "the needle") and len(snippet(long, "the needle")) <= 302


def test_no_more_than_ten_documents_are_listed_in_4000_characters() -> None:
    many = Library([Document(id=str(n), title="t" * 500, text="rings " * 100) for n in range(40)])
    said, _ = call("search", '{"query": "rings", "k": 40}', many)
    assert len(said) < 4100
    assert len(many.search("rings", 40)) == 40


@pytest.mark.parametrize("wanted", ["3", "[3]", " #3 "])
def test_a_document_is_opened_by_its_number(wanted: str) -> None:
    assert call("open", json.dumps({"doc_id": wanted}))[0] == "Harbor\nFerries of Veshti leave at noon."


def test_an_unknown_number_is_told() -> None:
    assert call("open", '{"doc_id": "../x"}')[0] == "[there is no document '../x'; search gives their numbers]"


def test_a_long_text_comes_in_pieces_that_say_what_is_left_out() -> None:
    first = sliced("a" * 6000 + "b" * 100, 0, head="T")
    assert first == "T\n" + "a" * 6000 + "\n[100 characters omitted; go on with start=6000]"
    assert sliced("a" * 6000 + "b" * 100, 6000) == "[6000 characters omitted]\n" + "b" * 100
    assert sliced("abc", 99) == "[3 characters omitted]\n[nothing more]"
    assert sliced("abc", -5) == "abc"


def test_the_users_folders_hold_records_and_texts(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id": "x1", "title": "A", "text": "one"}\n{"text": "two"}\n')
    (tmp_path / "notes.md").write_text("three")
    (tmp_path / ".hidden.txt").write_text("four")
    found = read_folders([str(tmp_path)], questions=[])
    assert [(one.id, one.title, one.text) for one in found] == [
        ("x1", "A", "one"),
        ("d2", "", "two"),
        ("d3", "notes", "three"),
    ]


def test_a_link_out_of_a_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("gold")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.txt").write_text("a")
    (tmp_path / "docs" / "link.txt").symlink_to(tmp_path / "secret.txt")
    assert [one.text for one in read_folders([str(tmp_path / "docs")], questions=[])] == ["a"]


def test_a_folder_that_holds_the_questions_is_refused(tmp_path: Path) -> None:
    (tmp_path / "items.jsonl").write_text('{"question": "q", "answer": "a"}')
    with pytest.raises(DataError, match="holds the questions with their answers"):
        read_folders([str(tmp_path)], questions=[str(tmp_path / "items.jsonl")])
    with pytest.raises(DataError, match="document d1 has no text"):
        read_folders([str(tmp_path)], questions=[])


@pytest.mark.parametrize(("text", "told"), [("", "no documents"), ('{"id": "1", "text": "a"}\n' * 2, "several")])
def test_a_folder_without_documents_or_with_one_number_twice_is_told(tmp_path: Path, text: str, told: str) -> None:
    if text:
        (tmp_path / "a.jsonl").write_text(text)
    with pytest.raises(DataError, match=told):
        read_folders([str(tmp_path)], questions=[])
    with pytest.raises(DataError, match="no such folder"):
        read_folders([str(tmp_path / "gone")], questions=[])

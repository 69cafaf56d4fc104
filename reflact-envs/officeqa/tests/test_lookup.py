"""The tools: what they show, where they stop, and what is said when a call cannot work."""

from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from reflact_env_officeqa.corpus import Corpus
from reflact_env_officeqa.lookup import Lookup

Call = Callable[..., str]


def looking(folder: Path, texts: dict[str, str], **options: object) -> Lookup:
    files = {}
    for name, text in texts.items():
        file = folder.resolve() / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        files[name] = file
    return Lookup(Corpus(files, {}), **options)  # type: ignore[arg-type]


def call(lookup: Lookup, name: str, arguments: str) -> tuple[str, bool]:
    return next(one for one in lookup.actions() if one.name == name)(arguments)


LINES = "\n".join(f"line {number} of the Bulletin" for number in range(1, 201))


def test_files_are_found_by_name_or_path(tmp_path: Path) -> None:
    lookup = looking(tmp_path, {"b_1951.txt": "", "old/b_1940.txt": "", "old/c.txt": ""})
    assert lookup.glob("*1951*") == "b_1951.txt"
    assert lookup.glob("B_*.TXT") == "b_1951.txt\nold/b_1940.txt"
    assert lookup.glob("old/*") == "old/b_1940.txt\nold/c.txt"
    assert lookup.glob("**/c.txt") == "old/c.txt"
    assert lookup.glob("*1999*") == "[no matches]"


def test_no_more_than_fifty_files_are_listed(tmp_path: Path) -> None:
    listed = looking(tmp_path, {f"{number:03d}.txt": "" for number in range(60)}).glob("*").splitlines()
    assert (len(listed), listed[-1]) == (51, "[10 more; give a narrower pattern]")


def test_lines_are_shown_from_where_they_are_asked_for(tmp_path: Path) -> None:
    lookup = looking(tmp_path, {"b.txt": LINES, "empty.txt": ""})
    assert lookup.read("b.txt", 199, 80) == (
        "[lines 199 to 200 of 200]\nline 199 of the Bulletin\nline 200 of the Bulletin"
    )
    assert lookup.read("b.txt", -3, 1).splitlines() == ["[lines 1 to 1 of 200]", "line 1 of the Bulletin"]
    assert lookup.read("b.txt", 500) == "[the document has only 200 lines]"
    assert lookup.read("empty.txt") == "[empty file]"


def test_a_result_holds_whole_lines_within_4000_characters_and_says_how_far_it_got(tmp_path: Path) -> None:
    lookup = looking(tmp_path, {"b.txt": "\n".join(["x" * 99] * 100), "wide.txt": "y" * 9000})
    shown, worked = call(lookup, "read", '{"path": "b.txt", "limit": 100}')
    assert worked and len(shown) <= 4000
    assert shown.startswith("[lines 1 to 38 of 100]")
    wide, _ = call(lookup, "read", '{"path": "wide.txt"}')
    assert len(wide) < 4000 and "more characters" in wide


def test_lines_with_a_text_are_found_whatever_their_case_and_no_pattern_is_meant(tmp_path: Path) -> None:
    lookup = looking(tmp_path, {"b.txt": "Receipts (net)\nreceipts.net\nReceipts (NET) again"})
    assert lookup.grep("receipts (net)", "b.txt") == "1: Receipts (net)\n3: Receipts (NET) again"
    assert lookup.grep("nothing", "b.txt") == "[no matches]"
    assert lookup.grep("", "b.txt") == "[grep needs a text to find]"


def test_no_more_than_twenty_lines_of_one_document_are_shown(tmp_path: Path) -> None:
    found = looking(tmp_path, {"b.txt": LINES}).grep("bulletin", "b.txt").splitlines()
    assert (len(found), found[-1]) == (21, "[more lines match; look for something rarer]")


def test_a_long_line_is_shown_around_what_was_found(tmp_path: Path) -> None:
    found = looking(tmp_path, {"b.txt": "x" * 5000 + "NEEDLE" + "y" * 5000}).grep("needle", "b.txt")
    assert "NEEDLE" in found and len(found) < 320


@pytest.mark.parametrize("where", ["", ".", "*", "**/*", "old", "old/", "old/*"])
def test_a_folder_or_a_pattern_is_searched_as_a_whole(tmp_path: Path, where: str) -> None:
    lookup = looking(tmp_path, {"old/a.txt": "salt tax", "old/b.txt": "none", "old/c.txt": "the salt tax"})
    assert lookup.grep("salt", where) == "old/a.txt:1: salt tax\nold/c.txt:1: the salt tax"


def test_a_search_through_many_documents_ends_after_fifty_lines_or_two_seconds(tmp_path: Path) -> None:
    texts = {f"{number:02d}.txt": LINES for number in range(30)}
    found = looking(tmp_path, texts).grep("line", "*").splitlines()
    assert (len(found), found[-1]) == (51, "[more lines match; look for something rarer]")
    ticks = count()
    slow = looking(tmp_path, texts, clock=lambda: float(next(ticks))).grep("salt", "*")
    assert slow == "[no matches]\n[stopped after 1 of 30 documents, as time was up; name fewer]"


def test_a_binary_file_is_passed_over(tmp_path: Path) -> None:
    assert looking(tmp_path, {"a.txt": "salt\0salt", "b.txt": "salt"}).grep("salt", "*") == "b.txt:1: salt"


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("read", '{"path": "b.tx"}', "there is no document 'b.tx'. Did you mean 'b.txt'?"),
        ("read", '{"path": "q"}', "there is no document 'q'. Use glob."),
        ("read", '{"path": "b.txt", "start": "one"}', "start: Input should be a valid integer"),
        ("read", '{"path": "b.txt"', "Invalid JSON"),
        ("read", "{}", "path: Field required"),
        ("grep", '{"pattern": "x"}', "path: Field required"),
        ("glob", '{"patern": "x"}', "pattern: Field required"),
    ],
)
def test_a_call_that_cannot_work_is_told_in_words(tmp_path: Path, name: str, arguments: str, told: str) -> None:
    """BUG 4 of officeqa: bad arguments ended the episode."""
    said, worked = call(looking(tmp_path, {"b.txt": "b"}), name, arguments)
    assert not worked and told in said


@pytest.mark.parametrize(
    "path",
    [
        "../secret.txt",
        "/etc/passwd",
        "docs/../../secret.txt",
        "..\\secret.txt",
        "~/.ssh/id_rsa",
        "secret.txt\0",
        "%2e%2e/x",
    ],
)
def test_nothing_outside_the_documents_can_be_read_or_searched(tmp_path: Path, path: str) -> None:
    (tmp_path / "secret.txt").write_text("the gold is 42")
    lookup = looking(tmp_path / "docs", {"b.txt": "b"})
    for name, more in (("read", ""), ("grep", ', "pattern": "gold"'), ("grep", ', "pattern": "root"')):
        written = path.replace("\\", "\\\\").replace("\0", "\\u0000")
        said, worked = call(lookup, name, f'{{"path": "{written}"{more}}}')
        assert not worked and "42" not in said and "root:" not in said


def test_a_bare_name_is_enough_where_only_one_document_has_it(tmp_path: Path) -> None:
    lookup = looking(tmp_path, {"a/b.txt": "first", "a/c.txt": "x", "d/c.txt": "y"})
    assert lookup.read("b.txt").endswith("first")
    assert not call(lookup, "read", '{"path": "c.txt"}')[1]

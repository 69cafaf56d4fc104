"""Which documents can be read, and that nothing else can."""

import json
from pathlib import Path
from typing import Any

import pytest
from reflact import DataError
from reflact_env_officeqa.config import OfficeQAConfig
from reflact_env_officeqa.corpus import find_corpus
from reflact_env_officeqa.environment import document_folders, token
from reflact_env_officeqa.parsed import table_text, whole_text


def put(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        file = folder / name.replace("__", "/").replace("_dot_", ".")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


def parsed(*elements: tuple[str, int]) -> str:
    found = [{"content": text, "bbox": [{"page_id": page}]} for text, page in elements]
    return json.dumps({"document": {"elements": found}})


def configured(*folders: Path, **given: Any) -> OfficeQAConfig:
    return OfficeQAConfig(data_dirs=tuple(map(str, folders)), **given)


def test_paths_are_relative_to_the_folder_and_say_nothing_of_the_machine(tmp_path: Path) -> None:
    """BUG 4 of officeqa, its part on paths."""
    corpus = find_corpus(configured(put(tmp_path / "docs", b_dot_txt="b", old__a_dot_txt="a")))
    assert list(corpus.files) == ["b.txt", "old/a.txt"]
    assert str(tmp_path) not in repr(list(corpus.files))


def test_the_texts_of_the_official_layouts_are_found(tmp_path: Path) -> None:
    put(tmp_path / "a", transformed__x_dot_txt="x", jsons__x_dot_json=parsed(("x", 1)), readme_dot_md="no")
    put(tmp_path / "b", treasury_bulletins_parsed__transformed__y_dot_txt="y")
    assert list(find_corpus(configured(tmp_path / "a")).files) == ["x.txt"]
    assert list(find_corpus(configured(tmp_path / "b")).files) == ["y.txt"]
    assert list(find_corpus(configured(tmp_path / "a", tmp_path / "b")).files) == ["root_1/x.txt", "root_2/y.txt"]


def test_without_texts_the_parsed_documents_are_read(tmp_path: Path) -> None:
    put(tmp_path, jsons__x_dot_json=parsed(("Heading", 1), ("<table><tr><td>a<td>1</tr></table>", 2)))
    corpus = find_corpus(configured(tmp_path))
    assert corpus.text("x.json") == "[page 1]\nHeading\n[page 2]\n| a | 1 |"
    assert corpus.find("x.txt") == "x.json"


def test_a_link_that_leads_out_of_the_folder_is_no_document(tmp_path: Path) -> None:
    put(tmp_path / "secret", gold_dot_txt="42")
    docs = put(tmp_path / "docs", a_dot_txt="a")
    (docs / "link.txt").symlink_to(tmp_path / "secret" / "gold.txt")
    (docs / "folder").symlink_to(tmp_path / "secret")
    (docs / "inner.txt").symlink_to(docs / "a.txt")
    assert list(find_corpus(configured(docs)).files) == ["a.txt", "inner.txt"]


def test_a_document_that_is_swapped_for_a_link_later_is_not_read(tmp_path: Path) -> None:
    put(tmp_path / "secret", gold_dot_txt="42")
    docs = put(tmp_path / "docs", a_dot_txt="a")
    corpus = find_corpus(configured(docs))
    (docs / "a.txt").unlink()
    (docs / "a.txt").symlink_to(tmp_path / "secret" / "gold.txt")
    with pytest.raises(OSError, match=r"a\.txt is not the document it was"):
        corpus.text("a.txt")


def test_hidden_files_tables_and_anything_else_are_no_documents(tmp_path: Path) -> None:
    put(
        tmp_path,
        a_dot_txt="a",
        officeqa_dot_csv="uid,answer",
        _dot_git__x_dot_txt="x",
        _dot_b_dot_txt="b",
        c_dot_py="c",
    )
    assert list(find_corpus(configured(tmp_path)).files) == ["a.txt"]


@pytest.mark.parametrize("key", ["split_dir", "data_path", "split_output_dir"])
def test_a_folder_of_documents_that_holds_the_answers_is_refused(tmp_path: Path, key: str) -> None:
    """BUG 11 of the common part: answers used to lie where the student could list them."""
    put(tmp_path, a_dot_txt="a", split__train__items_dot_json="[]")
    with pytest.raises(DataError, match="holds the questions with their answers"):
        find_corpus(configured(tmp_path, **{key: str(tmp_path / "split")}))


def test_bytes_that_are_no_utf8_become_marks(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"caf\xe9 1951")
    assert find_corpus(configured(tmp_path)).text("a.txt") == "caf\N{REPLACEMENT CHARACTER} 1951"


def test_without_any_folder_the_message_names_all_that_were_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OFFICEQA_DOCS_DIR", str(tmp_path / "from-variable"))
    with pytest.raises(DataError) as raised:
        find_corpus(configured(tmp_path / "gone", split_dir=str(tmp_path / "split")))
    for told in ("gone", "from-variable", "split", "OFFICEQA_DOCS_DIR", "transformed/*.txt", "460 MB", "CC BY-SA"):
        assert told in str(raised.value)


def test_the_variable_and_then_the_folder_beside_the_data_take_the_place_of_missing_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone, split = tmp_path / "gone", tmp_path / "split"
    put(split, docs__beside_dot_txt="b")
    put(tmp_path / "variable", v_dot_txt="v")
    assert list(find_corpus(configured(gone, split_dir=str(split))).files) == ["beside.txt"]
    monkeypatch.setenv("OFFICEQA_DOCS_DIR", str(tmp_path / "variable"))
    assert list(find_corpus(configured(gone, split_dir=str(split))).files) == ["v.txt"]


def test_the_variable_may_name_several_folders() -> None:
    assert document_folders({"OFFICEQA_DOCS_DIR": "/a:/b, /c"}) == ("/a", "/b", "/c")
    assert (document_folders({}), token("T", {"T": " x "}), token("", {})) == ((), "x", "")


def test_one_missing_folder_among_several_is_told(tmp_path: Path) -> None:
    put(tmp_path / "a", x_dot_txt="x")
    with pytest.raises(DataError, match=r"gone: no such folder, but .*a is there"):
        find_corpus(configured(tmp_path / "a", tmp_path / "gone"))


def test_a_folder_without_documents_is_told(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no documents"):
        find_corpus(configured(tmp_path))


def test_pages_for_the_oracle_are_bounded_and_must_be_there(tmp_path: Path) -> None:
    texts = put(tmp_path, transformed__x_dot_txt="x")
    with pytest.raises(DataError, match="oracle_pages needs parsed pages"):
        find_corpus(configured(texts, evidence_mode="oracle_pages"))
    put(tmp_path, jsons__x_dot_json=parsed(*[("y" * 30_000, page) for page in range(6)], ("short", 9)))
    corpus = find_corpus(configured(texts, evidence_mode="oracle_pages"))
    assert corpus.pages({"x.txt": [9], "gone.txt": [1]}) == "### x.txt, page 9\n\nshort"
    assert len(corpus.pages({"x.txt": [1]})) < 24_100
    assert len(corpus.pages({"x.txt": list(range(6))})) < 80_100


def test_a_table_is_bounded_and_its_bars_are_marked() -> None:
    assert table_text("<table><tr><td>a|b</td><td>1 <b>2</b></td></tr></table>end") == "| a\\|b | 1 2 |\nend"
    tall = table_text("<table>" + "<tr><td>x" * 1000 + "</table>").splitlines()
    assert (len(tall), tall[-1]) == (401, "[600 more rows]")
    assert table_text("<tr>" + "<td>x" * 1000).count("x") == 60


@pytest.mark.parametrize("content", ["[]", "{}", '{"document": {"elements": 3}}', "no json"])
def test_a_file_that_is_no_parsed_document_is_told(tmp_path: Path, content: str) -> None:
    file = tmp_path / "x.json"
    file.write_text(content)
    with pytest.raises(ValueError, match=r"no parsed document|Expecting value"):
        whole_text(file)

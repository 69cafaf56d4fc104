"""Which documents the student sees."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reflact_env_searchqa.context import MARK, window


def document(letter: str, length: int) -> str:
    return f"[DOC] {letter * length} "


def test_a_context_that_fits_is_shown_as_it_is() -> None:
    context = f" lead {document('a', 5)}"
    assert window(context, 6000) == (context, False)
    assert window(context, len(context)) == (context, False)


def test_a_limit_of_zero_shows_everything() -> None:
    assert window(document("a", 9000), 0) == (document("a", 9000), False)


def test_documents_keep_their_markers_and_a_long_one_is_passed_over() -> None:
    context = document("a", 10) + document("b", 100) + document("c", 10)
    assert window(context, 40) == (f"{document('a', 10)}{document('c', 10)}".rstrip(), True)


def test_a_first_document_that_is_too_long_does_not_hide_the_others() -> None:
    assert window(document("b", 100) + document("c", 10), 40) == (document("c", 10).rstrip(), True)


def test_where_no_document_fits_the_first_is_cut_and_marked() -> None:
    text, truncated = window(document("a", 100) + document("b", 100), 30)
    assert (text, truncated) == (f"[DOC] {'a' * (30 - 6 - len(MARK))}{MARK}", True)


def test_a_context_without_markers_is_cut() -> None:
    assert window("x" * 50, 10) == ("x" * (10 - len(MARK)) + MARK, True)


@given(st.lists(st.sampled_from(["[DOC]", " ", "word ", "[PAR]"])).map("".join), st.integers(1, 60))
def test_the_window_is_never_longer_than_the_limit(context: str, limit: int) -> None:
    text, truncated = window(context, limit)
    assert len(text) <= limit
    assert truncated == (len(context) > limit)


@pytest.mark.parametrize("limit", [1, 2, 4])
def test_a_limit_below_the_mark_is_still_kept(limit: int) -> None:
    assert len(window("x" * 50, limit).text) == limit

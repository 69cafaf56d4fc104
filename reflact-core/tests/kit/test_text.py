"""Comparing texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reflact.kit.text import contains, exact_match, f1, normalize, shorten


def test_normalisation_follows_squad() -> None:
    assert normalize("  The  O'Hara-Lee, an Éire\tA! ") == "oharalee éire"


@pytest.mark.parametrize(
    ("answer", "golds", "same"),
    [
        ("the Quill Islands.", ["Quill Islands"], True),
        ("quill islands", ["Ansel", "The Quill Islands"], True),
        ("The The", ["The The"], True),
        ("...", ["The"], False),
        ("the", ["..."], False),
        ("the ", ["The"], True),
        ("", ["x"], False),
        ("x", [], False),
        ("“x”", ["x"], False),
    ],
)
def test_an_exact_match_is_that_of_squad_but_nothing_equals_nothing_only_if_it_was_equal(
    answer: str, golds: list[str], same: bool
) -> None:
    assert exact_match(answer, golds) is same


@pytest.mark.parametrize(
    ("answer", "golds", "score"),
    [
        ("Quill Islands", ["the Quill Islands"], 1.0),
        ("the islands of Quill", ["Quill Islands"], 0.8),
        ("ha ha ha", ["ha"], 0.5),
        ("Ansel", ["Quill Islands", "Port Ansel"], 2 / 3),
        ("Rome", ["Paris"], 0.0),
        ("", ["Paris"], 0.0),
        ("...", ["The"], 0.0),
        ("the", ["The"], 1.0),
        ("x", [], 0.0),
    ],
)
def test_f1_counts_shared_tokens_and_takes_the_best_gold(answer: str, golds: list[str], score: float) -> None:
    assert f1(answer, golds) == pytest.approx(score)


@given(st.text(), st.lists(st.text(), max_size=3))
def test_f1_lies_between_the_exact_match_and_one(answer: str, golds: list[str]) -> None:
    assert float(exact_match(answer, golds)) <= f1(answer, golds) <= 1.0


@pytest.mark.parametrize(
    ("text", "golds", "found"),
    [
        ("it was Port Ansel.", ["Port Ansel"], True),
        ("", ["Port Ansel"], False),
        ("Abba", ["a"], False),
        ("Ansel", ["Port Ansel"], False),
        ("Anselm", ["Ansel"], False),
        ("anything", ["the", "..."], False),
    ],
)
def test_containment_keeps_to_whole_tokens_and_needs_a_gold(text: str, golds: list[str], found: bool) -> None:
    assert contains(text, golds) is found


def test_a_shortened_text_says_how_much_is_missing() -> None:
    assert shorten("abcdef", 4) == "abcd… (2 more characters)"
    assert shorten("abcd", 4) == "abcd"

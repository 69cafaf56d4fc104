"""Asking again until there is an answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from reflact.kit.turns import until_complete


def saying(*replies: str) -> tuple[Callable[[Sequence[str]], str], list[Sequence[str]]]:
    """Return who says *replies* in turn, and what it was given each time."""
    given: list[Sequence[str]] = []

    def ask(before: Sequence[str]) -> str:
        given.append(before)
        return replies[len(given) - 1]

    return ask, given


@pytest.mark.parametrize(
    ("replies", "turns", "heard"),
    [
        (("no", "yes", "never"), 9, ("no", "yes")),
        (("no", "no", "never"), 2, ("no", "no")),
        (("yes", "never"), 9, ("yes",)),
        (("no", "never"), 1, ("no",)),
    ],
)
def test_it_ends_with_a_complete_reply_or_the_last_turn(
    replies: tuple[str, ...], turns: int, heard: tuple[str, ...]
) -> None:
    ask, _ = saying(*replies)
    assert until_complete(ask, complete=lambda reply: reply == "yes", turns=turns) == heard


def test_each_turn_is_given_the_replies_before_it() -> None:
    ask, given = saying("a", "b", "c")
    until_complete(ask, complete=lambda reply: False, turns=3)
    assert given == [(), ("a",), ("a", "b")]

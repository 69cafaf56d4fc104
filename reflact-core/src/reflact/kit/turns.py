"""Asking again until there is an answer: when to stop, whatever is asked and however."""

from __future__ import annotations

from collections.abc import Callable, Sequence


def until_complete(
    ask: Callable[[Sequence[str]], str], *, complete: Callable[[str], bool], turns: int = 1
) -> tuple[str, ...]:
    """Return the replies of *ask*, which is given those so far; the last one counts.

    It is asked once, and again until a reply is *complete*, at most *turns* times in all.
    """
    replies: list[str] = []
    while not replies or (len(replies) < turns and not complete(replies[-1])):
        replies.append(ask(tuple(replies)))
    return tuple(replies)

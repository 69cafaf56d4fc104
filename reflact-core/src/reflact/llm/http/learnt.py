"""What a server turned out not to take: learnt from its complaints once, and known to all threads from then on."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any, Generic, Protocol, Self, TypeVar

from reflact.llm.http.room import added, said_nothing
from reflact.types import ChatReply


class Dialect(Protocol):
    """What one server takes for one model; immutable. A roomy one asks for more tokens than a request names."""

    def roomier(self) -> Self: ...
    def __or__(self, other: Self) -> Self: ...


D = TypeVar("D", bound=Dialect)


class Learnt(Generic[D]):
    """The dialect of a server as far as it is known; thread-safe."""

    def __init__(self, first: D) -> None:
        self._lock = threading.Lock()
        self._dialect = first

    def add(self, dialect: D) -> None:
        """Keep what *dialect* knows besides."""
        with self._lock:
            self._dialect = self._dialect | dialect

    def reply(self, ask: Callable[[D], tuple[D, ChatReply]], body: Callable[[D], Mapping[str, Any]]) -> ChatReply:
        """Return what *ask* gets in the dialect known by now: a reply, and the dialect it was got in.

        A reply that was cut before its first word is asked for once more, with more room, where that changes the
        *body* at all. Both calls are counted, and the room is kept if it helped.
        """
        dialect, said = ask(self._dialect)
        roomy = dialect.roomier()
        if not said_nothing(said) or body(roomy) == body(dialect):
            return said
        roomy, again = ask(roomy)
        if not said_nothing(again):
            self.add(roomy)
        return added(said, again)

"""What a wire protocol has to offer the fake server. A module of plain functions is enough."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from reflact.testing.server.script import Api, FakeReply, FakeRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """What a body says, in terms that all protocols share; see `FakeRequest`."""

    messages: tuple[Mapping[str, Any], ...]
    text: str
    system: str
    results: tuple[str, ...]


class WireProtocol(Protocol):
    """One model API: its name, the end of its path, and its forms of call, answer, stream and failure."""

    API: Api
    PATH: str

    def read(self, body: Mapping[str, Any]) -> Conversation:
        """Return what *body* says."""

    def answer(self, request: FakeRequest, reply: FakeReply) -> dict[str, Any]:
        """Return the body of a whole answer."""

    def events(self, request: FakeRequest, reply: FakeReply) -> tuple[bytes, ...]:
        """Return the same answer, or a failure after a 200, as server-sent events."""

    def error(self, reply: FakeReply) -> dict[str, Any]:
        """Return the body of a failure."""

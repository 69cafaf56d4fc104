"""What a wire protocol has to offer the fake server. A module of plain functions is enough."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from reflact.testing.server.script import FakeReply, FakeRequest


class WireProtocol(Protocol):
    """One model API: the end of its path, and its forms of call, answer, stream and failure."""

    PATH: str

    def read(self, body: Mapping[str, Any], *, headers: Mapping[str, str], index: int) -> FakeRequest:
        """Return the call that *body* makes."""

    def answer(self, request: FakeRequest, reply: FakeReply) -> dict[str, Any]:
        """Return the body of a whole answer."""

    def events(self, request: FakeRequest, reply: FakeReply) -> tuple[bytes, ...]:
        """Return the same answer as server-sent events."""

    def error(self, reply: FakeReply) -> dict[str, Any]:
        """Return the body of a failure."""

"""What every backend contract begins with: the backend as its package registers it."""

from __future__ import annotations

from typing import Any, ClassVar, cast

import pytest
from pydantic import ValidationError

from reflact.contracts import BackendSpec, Kind
from reflact.plugins import Plugins
from reflact.types import ChatRequest, Image, Message

KEY = "key-of-the-contract"
SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
PIXEL = Image(
    data=bytes.fromhex(
        "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63606060000000040001f61738550000"
        "000049454e44ae426082"
    ),
    media_type="image/png",
    label="Image #1",
)


def ask(text: str, **more: Any) -> ChatRequest:
    """Return a request with a system text and *text*."""
    messages = (Message(role="system", content="Be brief."), Message(role="user", content=text))
    return ChatRequest(messages=messages, **more)


class Registered:
    """A backend that is known by its name."""

    name: str
    """The backend's name, as it is registered."""
    kind: ClassVar[Kind] = "chat"

    def spec(self) -> BackendSpec:
        """Return what the package registers."""
        return cast(BackendSpec, Plugins().get("backends", self.name))

    def test_it_is_registered_with_its_kind_and_a_summary(self) -> None:
        assert (self.spec().kind, self.spec().name) == (self.kind, self.name)
        assert self.spec().summary

    def test_its_configuration_refuses_an_unknown_key(self) -> None:
        with pytest.raises(ValidationError, match="timeot_s"):
            self.spec().config(**{"timeot_s": 1})

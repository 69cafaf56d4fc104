"""The embedded model, with its real weights, keeps the contract of chat backends."""

from __future__ import annotations

from typing import Any

import pytest
from reflact import ChatModel
from reflact.testing import ChatContract

LOADED: dict[str, ChatModel] = {}


@pytest.mark.slow
class TestLocalChat(ChatContract):
    """The weights are loaded once: a server that is let go before it was asked anything may never end."""

    name = "local_chat"

    def model(self, **more: Any) -> ChatModel:
        """Return the model with *more* in its configuration, the same one every time."""
        key = repr(sorted(more.items()))
        if key not in LOADED:
            LOADED[key] = super().model(**more)
        return LOADED[key]

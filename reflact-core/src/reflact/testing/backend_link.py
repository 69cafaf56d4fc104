"""How a backend contract reaches the backend under test."""

from __future__ import annotations

from typing import Any, cast

import pytest

from reflact.contracts import BackendSpec, ChatModel
from reflact.errors import BackendError
from reflact.plugins import Plugins
from reflact.types import ChatRequest, Message

KEY = "key-of-the-contract"


def ask(text: str, **more: Any) -> ChatRequest:
    """Return a request with a system text and *text*."""
    messages = (Message(role="system", content="Be brief."), Message(role="user", content=text))
    return ChatRequest(messages=messages, **more)


class BackendLink:
    """Builds the backend `name`, as it is registered, against a server."""

    name: str
    """The backend's name, as it is registered."""

    def settings(self, url: str) -> dict[str, Any]:
        """Return the configuration that points the backend at the server *url* with the key `KEY`."""
        return {"base_url": f"{url}/v1", "api_key": KEY}

    def connect(self, url: str, **more: Any) -> ChatModel:
        """Return the model at *url*. It makes one attempt per call: retries are the router's."""
        spec = self.spec()
        return cast(ChatModel, spec.build(spec.config(**{**self.settings(url), **more})))

    def spec(self) -> BackendSpec:
        """Return what the package registers."""
        return cast(BackendSpec, Plugins().get("backends", self.name))

    def error_of(self, model: ChatModel) -> BackendError:
        """Return the error a plain request to *model* ends in."""
        with pytest.raises(BackendError) as caught:
            model.chat(ask("?"))
        return caught.value

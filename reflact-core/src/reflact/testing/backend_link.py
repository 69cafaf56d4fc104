"""How a backend contract reaches a backend that is behind a server."""

from __future__ import annotations

from typing import Any, cast

import pytest

from reflact.contracts import ChatModel
from reflact.errors import BackendError
from reflact.testing.registered import KEY, Registered, ask


class BackendLink(Registered):
    """Builds the backend `name`, as it is registered, against a server."""

    def settings(self, url: str) -> dict[str, Any]:
        """Return the configuration that points the backend at the server *url* with the key `KEY`."""
        return {"base_url": f"{url}/v1", "api_key": KEY}

    def connect(self, url: str, **more: Any) -> ChatModel:
        """Return the model at *url*. It makes one attempt per call: retries are the router's."""
        spec = self.spec()
        return cast(ChatModel, spec.build(spec.config(**{**self.settings(url), **more})))

    def error_of(self, model: ChatModel) -> BackendError:
        """Return the error a plain request to *model* ends in."""
        with pytest.raises(BackendError) as caught:
            model.chat(ask("?"))
        return caught.value

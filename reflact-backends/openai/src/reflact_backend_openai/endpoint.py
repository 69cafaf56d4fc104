"""Where calls go, and what they carry to be let in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import quote, urlencode

Api = Literal["chat", "responses"]
Token = Callable[[], str]

JSON = {"accept": "application/json", "content-type": "application/json"}
_PATHS: Mapping[Api, str] = {"chat": "/chat/completions", "responses": "/responses"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """One API: its `base` without a trailing slash, and what every call carries.

    A `token` is asked for per call, so that one that ran out is never sent. `key` says where the credential comes from,
    `address` which setting names the place; `secrets` are masked in errors.
    """

    base: str
    headers: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    deployments: bool = False
    """Whether Chat Completions are below the deployment's name, as in Azure's versioned API."""
    official: bool = False
    """Whether it is OpenAI itself or Azure, where names of models mean what they say."""
    token: Token | None = None
    key: str = ""
    address: str = "base_url"
    secrets: tuple[str, ...] = ()
    proxy: str = ""

    def url(self, api: Api, model: str) -> str:
        """Return the address at which *api* answers for *model*."""
        below = f"/deployments/{quote(model, safe='')}" if self.deployments and api == "chat" else ""
        query = f"?{urlencode(self.query)}" if self.query else ""
        return f"{self.base}{below}{_PATHS[api]}{query}"

    def credentials(self) -> Mapping[str, str]:
        """Return the headers of one call. Raises `BackendError` when no token is to be had."""
        if self.token is None:
            return self.headers
        return {**self.headers, "authorization": f"Bearer {self.token()}"}

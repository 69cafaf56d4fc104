"""From settings and environment to the endpoint. The only reader of the environment in this package."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from anthropic import Anthropic
from reflact import ConfigError
from reflact.llm.http import address, is_loopback, proxy_for

from reflact_backend_anthropic.config import ClaudeConfig

ANTHROPIC = "https://api.anthropic.com"


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Where messages go, and what every call carries; `secrets` are masked in errors."""

    base: str
    url: str
    headers: Mapping[str, str]
    secrets: tuple[str, ...]
    proxy: str


def connect(config: ClaudeConfig, *, environ: Mapping[str, str] = os.environ) -> Endpoint:
    """Return the endpoint of *config*. Nothing is sent yet.

    Raises `ConfigError` when the endpoint needs a key and there is none.
    """
    at = address(config.base_url or environ.get("ANTHROPIC_BASE_URL", "") or ANTHROPIC)
    base = at.base.removesuffix("/v1")
    key = _key(config, base, environ)
    own = {name.lower(): value.get_secret_value() for name, value in config.headers.items()}
    with Anthropic(api_key=key, base_url=base, max_retries=0, open_telemetry=False) as client:
        given = {name.lower(): text for name, text in client.default_headers.items() if isinstance(text, str)}
    if config.key_header == "x-api-key":
        given = {name: text for name, text in given.items() if name != "authorization"} | {"x-api-key": key}
    return Endpoint(
        base=base,
        url=f"{base}/v1/messages{f'?{urlencode(at.query)}' if at.query else ''}",
        headers={**given, **at.headers, **own},
        secrets=(key, *at.secrets, *own.values()),
        proxy=proxy_for(base),
    )


def _key(config: ClaudeConfig, url: str, environ: Mapping[str, str]) -> str:
    given = config.api_key.get_secret_value() if config.api_key else environ.get(config.api_key_env, "")
    if given.strip():
        return given.strip()
    if is_loopback(url):
        return "none"
    raise ConfigError(
        f"claude_chat: no key for {'Anthropic' if url == ANTHROPIC else url}: the environment variable "
        f"{config.api_key_env} is not set. Set it, or name another one with `api_key_env`."
    )

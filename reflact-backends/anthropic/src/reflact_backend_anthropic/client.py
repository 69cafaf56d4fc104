"""From settings and environment to the endpoint. The only reader of the environment in this package."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx2
from anthropic import Anthropic, DefaultHttpxClient, Omit
from reflact import ConfigError
from reflact.contracts import Access
from reflact.llm.http import address, is_loopback, named, without_queries

from reflact_backend_anthropic.config import ClaudeConfig

ANTHROPIC = "https://api.anthropic.com"


CONNECT_TIMEOUT_S = 10.0

without_queries("httpx2", "anthropic._base_client")


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Where messages go, and the SDK's client that takes them there; `secrets` are masked in errors."""

    base: str
    client: Anthropic
    secrets: tuple[str, ...]


def connect(config: ClaudeConfig, *, environ: Mapping[str, str] = os.environ) -> Endpoint:
    """Return the endpoint of *config*. Nothing is sent yet.

    Raises `ConfigError` when the endpoint needs a key and there is none.
    """
    at = address(_place(config, environ)[0])
    base = at.base.removesuffix("/v1")
    key = _key(config, base, environ)
    own = {name.lower(): value.get_secret_value() for name, value in config.headers.items()}
    moved: dict[str, Any] = {"authorization": Omit(), "x-api-key": key} if config.key_header == "x-api-key" else {}
    limits = httpx2.Limits(max_connections=config.connections, max_keepalive_connections=config.connections)
    timeout = httpx2.Timeout(config.timeout_s, connect=min(CONNECT_TIMEOUT_S, config.timeout_s), pool=None)
    client = Anthropic(
        api_key=key,
        base_url=base,
        max_retries=0,
        timeout=timeout,
        default_headers={**at.headers, **moved, **own},
        default_query=dict(at.query),
        http_client=DefaultHttpxClient(limits=limits, timeout=timeout, follow_redirects=False),
        open_telemetry=False,
    )
    return Endpoint(base=base, client=client, secrets=(key, *at.secrets, *own.values()))


def access(config: ClaudeConfig, *, environ: Mapping[str, str] = os.environ) -> Access:
    """Return where the calls of *config* go and where their key comes from; it need not be there."""
    url, source = _place(config, environ)
    key = "api_key" if config.api_key else f"${config.api_key_env}"
    return Access(endpoint=address(url).base.removesuffix("/v1"), endpoint_from=source, key=key)


def _place(config: ClaudeConfig, environ: Mapping[str, str]) -> tuple[str, str]:
    """Return the address of the API and what names it: a setting, a variable, or nothing."""
    return named(config.base_url, "ANTHROPIC_BASE_URL", environ, ANTHROPIC)


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

"""Builds the SDK client. The only reader of the environment in this package."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from ipaddress import ip_address
from urllib.parse import urlsplit

import httpx2
from openai import AsyncOpenAI, DefaultAioHttpClient
from reflact import ConfigError

from reflact_backend_openai.config import OpenAIConfig
from reflact_backend_openai.faults import is_quota

CONNECT_TIMEOUT_S = 10.0


def connect(config: OpenAIConfig, *, environ: Mapping[str, str] = os.environ) -> AsyncOpenAI:
    """Return a client for *config*. Nothing is sent yet.

    Raises `ConfigError` when the endpoint needs a key and there is none.
    """
    url = config.base_url or environ.get("OPENAI_BASE_URL", "")
    transport = DefaultAioHttpClient(
        limits=httpx2.Limits(max_connections=config.connections, max_keepalive_connections=config.connections),
        event_hooks={"response": [_no_retry_without_credit]},
    )
    return AsyncOpenAI(
        api_key=_key(config, url, environ),
        base_url=url or None,
        timeout=httpx2.Timeout(config.timeout_s, connect=min(CONNECT_TIMEOUT_S, config.timeout_s), pool=None),
        max_retries=config.max_retries,
        default_headers={name: value.get_secret_value() for name, value in config.headers.items()},
        http_client=transport,
    )


def is_loopback(url: str) -> bool:
    """Return whether *url* names this machine by its loopback address."""
    host = urlsplit(url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _key(config: OpenAIConfig, url: str, environ: Mapping[str, str]) -> str:
    given = config.api_key.get_secret_value() if config.api_key else environ.get(config.api_key_env, "")
    if given.strip():
        return given.strip()
    if is_loopback(url):
        return "none"
    raise ConfigError(
        f"openai_chat: no key for {url or 'OpenAI'}: the environment variable {config.api_key_env} is not set. "
        f"Set it, or name another one with `api_key_env`."
    )


async def _no_retry_without_credit(response: httpx2.Response) -> None:
    """Keep the SDK from retrying a 429 that no waiting cures."""
    if response.status_code != 429:
        return
    try:
        body = json.loads(await response.aread())
    except ValueError:
        return
    if is_quota(body):
        response.headers["x-should-retry"] = "false"

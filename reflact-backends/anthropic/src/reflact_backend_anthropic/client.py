"""Builds the SDK client. The only reader of the environment in this package."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from ipaddress import ip_address
from urllib.parse import urlsplit

import httpx2
from anthropic import AsyncAnthropic, DefaultAioHttpClient
from reflact import ConfigError

from reflact_backend_anthropic.config import ClaudeConfig
from reflact_backend_anthropic.faults import complaint_in, is_quota

ANTHROPIC = "https://api.anthropic.com"
CONNECT_TIMEOUT_S = 10.0
LONGEST_WAIT_S = 120.0
"""A `Retry-After` beyond it is reported instead of waited for."""


def connect(config: ClaudeConfig, *, environ: Mapping[str, str] = os.environ) -> AsyncAnthropic:
    """Return a client for *config*. Nothing is sent yet.

    Raises `ConfigError` when the endpoint needs a key and there is none.
    """
    url = (config.base_url or environ.get("ANTHROPIC_BASE_URL", "") or ANTHROPIC).rstrip("/").removesuffix("/v1")
    transport = DefaultAioHttpClient(
        limits=httpx2.Limits(max_connections=config.connections, max_keepalive_connections=config.connections),
        event_hooks={"response": [_no_retry_in_vain]},
    )
    return AsyncAnthropic(
        api_key=_key(config, url, environ),
        base_url=url,
        timeout=httpx2.Timeout(config.timeout_s, connect=min(CONNECT_TIMEOUT_S, config.timeout_s), pool=None),
        max_retries=config.max_retries,
        default_headers={name: value.get_secret_value() for name, value in config.headers.items()},
        http_client=transport,
        open_telemetry=False,
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


async def _no_retry_in_vain(response: httpx2.Response) -> None:
    """Keep the SDK from retrying a 429 that no waiting cures, and from waiting for hours."""
    if response.status_code < 400:
        return
    if _wait_s(response.headers) > LONGEST_WAIT_S:
        response.headers["x-should-retry"] = "false"
    if response.status_code != 429:
        return
    try:
        body = json.loads(await response.aread())
    except ValueError:
        return
    if is_quota(complaint_in(body)):
        response.headers["x-should-retry"] = "false"


def _wait_s(headers: Mapping[str, str]) -> float:
    try:
        return float(headers.get("retry-after", ""))
    except ValueError:
        return 0.0

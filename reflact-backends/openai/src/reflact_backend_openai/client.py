"""From settings and environment to the endpoint. The only reader of the environment in this package."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import replace

from reflact import ConfigError
from reflact.llm.http import address, is_loopback, proxy_for

from reflact_backend_openai.azure_endpoint import HOSTS, AzureSettings, azure_endpoint
from reflact_backend_openai.config import OpenAIConfig
from reflact_backend_openai.endpoint import JSON, Endpoint, Token

OPENAI = "https://api.openai.com/v1"
ACCOUNTS = {"OPENAI_ORG_ID": "openai-organization", "OPENAI_PROJECT_ID": "openai-project"}
"""Variables that say which account of OpenAI pays, and their headers."""


def connect(
    config: OpenAIConfig,
    *,
    environ: Mapping[str, str] = os.environ,
    token: Token | None = None,
    token_hosts: Collection[str] = HOSTS,
) -> Endpoint:
    """Return the endpoint of *config*. Nothing is sent yet.

    *token* takes the place of what azure-identity would give, and *token_hosts* that of Azure's hosts; both are for
    tests, and no key of the configuration sets them. Raises `ConfigError` when a key is needed and there is none, or
    when a token would go where it must not.
    """
    settings = AzureSettings(config, environ)
    if uses_azure(config, environ):
        endpoint = azure_endpoint(settings, token=token, token_hosts=token_hosts)
    else:
        endpoint = _openai(config, environ)
    own = {name.lower(): value.get_secret_value() for name, value in config.headers.items()}
    at = address(endpoint.base)
    return replace(
        endpoint,
        base=at.base,
        headers={**endpoint.headers, **at.headers, **own},
        query={**at.query, **endpoint.query},
        secrets=(*endpoint.secrets, *at.secrets, *own.values()),
        proxy=proxy_for(at.base),
    )


def uses_azure(config: OpenAIConfig, environ: Mapping[str, str]) -> bool:
    """Return whether calls go to Azure: an address that is configured comes before one in the environment."""
    if config.base_url:
        return False
    if config.azure_openai_endpoint:
        return True
    return not environ.get("OPENAI_BASE_URL") and bool(AzureSettings(config, environ).get("endpoint"))


def _openai(config: OpenAIConfig, environ: Mapping[str, str]) -> Endpoint:
    url = config.base_url or environ.get("OPENAI_BASE_URL", "") or OPENAI
    key = (config.api_key.get_secret_value() if config.api_key else environ.get(config.api_key_env, "")).strip()
    if not key and not is_loopback(url):
        raise ConfigError(
            f"openai_chat: no key for {'OpenAI' if url == OPENAI else address(url).base}: the environment variable "
            f"{config.api_key_env} is not set. Set it, or name another one with `api_key_env`."
        )
    official = address(url).base == OPENAI
    accounts = {header: environ.get(name, "") for name, header in ACCOUNTS.items()} if official else {}
    return Endpoint(
        base=url,
        headers={**JSON, "authorization": f"Bearer {key or 'none'}", **{k: v for k, v in accounts.items() if v}},
        official=official,
        key="api_key" if config.api_key else f"${config.api_key_env}",
        secrets=(key,),
    )

"""From settings and environment to the endpoint. The only reader of the environment in this package."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import replace

from reflact import ConfigError
from reflact.contracts import Access
from reflact.llm.http import address, is_loopback, named, proxy_for

from reflact_backend_openai.azure_endpoint import HOSTS, AzureSettings, azure_access, azure_endpoint
from reflact_backend_openai.config import OpenAIConfig
from reflact_backend_openai.endpoint import JSON, Endpoint, Token
from reflact_backend_openai.own import NOTHING, Own, said_of

OPENAI = "https://api.openai.com/v1"
ACCOUNTS = {"OPENAI_ORG_ID": "openai-organization", "OPENAI_PROJECT_ID": "openai-project"}
"""Variables that say which account of OpenAI pays, and their headers."""


def connect(
    config: OpenAIConfig,
    own: Own = NOTHING,
    *,
    environ: Mapping[str, str] = os.environ,
    token: Token | None = None,
    token_hosts: Collection[str] = HOSTS,
) -> Endpoint:
    """Return the endpoint of *config* for a role of which *own* is said. Nothing is sent yet.

    *token* takes the place of what azure-identity would give, and *token_hosts* that of Azure's hosts; both are for
    tests, and no key of the configuration sets them. Raises `ConfigError` when a key is needed and there is none, or
    when a token would go where it must not.
    """
    settings = AzureSettings(config, environ, own)
    if uses_azure(config, settings, environ):
        endpoint = azure_endpoint(settings, token=token, token_hosts=token_hosts)
    else:
        endpoint = _openai(config, environ)
    added = {name.lower(): value.get_secret_value() for name, value in config.headers.items()}
    at = address(endpoint.base)
    return replace(
        endpoint,
        base=at.base,
        headers={**endpoint.headers, **at.headers, **added},
        query={**at.query, **endpoint.query},
        secrets=(*endpoint.secrets, *at.secrets, *added.values()),
        proxy=proxy_for(at.base),
    )


def access(config: OpenAIConfig, own: Own = NOTHING, *, environ: Mapping[str, str] = os.environ) -> Access:
    """Return where the calls of *config* go for a role of which *own* is said, and what lets them in.

    Raises `ConfigError` for a way to sign in that there is not; a key need not be there.
    """
    settings = AzureSettings(config, environ, own)
    if uses_azure(config, settings, environ):
        return azure_access(settings)
    url, source = _place(config, environ)
    return Access(endpoint=address(url).base, endpoint_from=source, key=_key_source(config))


def of_role(role: str, common: frozenset[str]) -> Own:
    """Return what the environment says of *role* alone; the settings *common* are configured for all roles."""
    return said_of(role, common, os.environ)


def uses_azure(config: OpenAIConfig, settings: AzureSettings, environ: Mapping[str, str]) -> bool:
    """Return whether calls go to Azure.

    What is configured comes before the environment, and what that says of the role before what it says of all roles.
    """
    if config.base_url or not settings.get("endpoint"):
        return False
    return not (settings.for_all("endpoint") and environ.get("OPENAI_BASE_URL"))


def _openai(config: OpenAIConfig, environ: Mapping[str, str]) -> Endpoint:
    url, _ = _place(config, environ)
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
        key=_key_source(config),
        secrets=(key,),
    )


def _place(config: OpenAIConfig, environ: Mapping[str, str]) -> tuple[str, str]:
    """Return the address of OpenAI or a server like it, and what names it: a setting, a variable, or nothing."""
    return named(config.base_url, "OPENAI_BASE_URL", environ, OPENAI)


def _key_source(config: OpenAIConfig) -> str:
    return "api_key" if config.api_key else f"${config.api_key_env}"

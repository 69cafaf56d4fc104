"""From Azure's settings, configured or in the environment, to the endpoint."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from urllib.parse import urlsplit

from pydantic import SecretStr
from reflact import ConfigError
from reflact.contracts import Access
from reflact.llm.http import address

from reflact_backend_openai.config import OpenAIConfig
from reflact_backend_openai.endpoint import JSON, Endpoint, Token
from reflact_backend_openai.own import Own, variable
from reflact_backend_openai.sign_in import SIGN_INS, SignIn, mode_of, token_source

AD_SCOPE = "https://cognitiveservices.azure.com/.default"
HOSTS = (".openai.azure.com", ".cognitiveservices.azure.com", ".services.ai.azure.com")
"""The ends of the hosts that a bearer token of Azure may be sent to."""
_MOVING = frozenset({"preview", "latest"})


class AzureSettings:
    """Reads one setting at a time: the role's key, its variables, the key for all roles, `AZURE_OPENAI_…`."""

    def __init__(self, config: OpenAIConfig, environ: Mapping[str, str], own: Own) -> None:
        self._config = config
        self._environ = environ
        self._own = own

    def get(self, name: str) -> str:
        """Return the setting *name*, such as `api_version`; empty when it is nowhere."""
        return self._found(name)[0]

    def source(self, name: str) -> str:
        """Return where the setting *name* comes from: a key, or `$` and a variable."""
        return self._found(name)[1]

    def variables(self, name: str) -> str:
        """Return the variables that may hold the setting *name*, for a message."""
        return " or ".join(self._own.variables(name))

    def for_all(self, name: str) -> bool:
        """Return whether the setting *name* is left to the variable for all roles."""
        return self.source(name) == f"${variable(name)}"

    def _found(self, name: str) -> tuple[str, str]:
        key = f"azure_openai_{name}"
        configured = getattr(self._config, key)
        plain = str((configured.get_secret_value() if isinstance(configured, SecretStr) else configured) or "").strip()
        said = self._own.get(name)
        if plain and (said is None or name not in self._own.before):
            return plain, key
        if said is not None:
            return said.value, f"${said.variable}"
        return self._environ.get(variable(name), "").strip(), f"${variable(name)}"


def azure_endpoint(settings: AzureSettings, *, token: Token | None, token_hosts: Collection[str]) -> Endpoint:
    """Return the endpoint that *settings* describe; *token* takes the place of what azure-identity would give.

    Raises `ConfigError` when a key, or azure-identity, is missing, or a token would go where it must not.
    """
    key = settings.get("api_key")
    mode: SignIn = "default" if token else _mode(settings, has_key=bool(key))
    base, query, deployments = base_of(settings.get("endpoint"), settings.get("api_version"))
    endpoint = Endpoint(
        base=base,
        headers=JSON,
        query=query,
        deployments=deployments,
        official=True,
        key=settings.source("api_key"),
        address=settings.source("endpoint"),
        secrets=(key,),
    )
    if mode == "api_key":
        return replace(endpoint, headers={**JSON, "api-key": key})
    if mode == "openai_compatible":
        plain = replace(endpoint, base=settings.get("endpoint"), query={}, deployments=False, official=False)
        return replace(plain, headers={**JSON, "authorization": f"Bearer {key or 'none'}"})
    guard(base, token_hosts, source=settings.source("endpoint"))
    scope, client_id = settings.get("ad_scope") or AD_SCOPE, settings.get("managed_identity_client_id")
    return replace(endpoint, key=SIGN_INS[mode], token=token or token_source(mode, scope=scope, client_id=client_id))


def azure_access(settings: AzureSettings) -> Access:
    """Return where the calls of *settings* go and what lets them in, also where a key is needed and missing.

    Raises `ConfigError` for a way to sign in that there is not.
    """
    mode, place = _mode(settings, has_key=True), settings.get("endpoint")
    base = place if mode == "openai_compatible" else base_of(place, settings.get("api_version"))[0]
    sign_in = f"{SIGN_INS[mode]} ({settings.source('auth_mode')})"
    key = settings.source("api_key") if mode in ("api_key", "openai_compatible") else sign_in
    return Access(endpoint=address(base).base, endpoint_from=settings.source("endpoint"), key=key)


def base_of(url: str, version: str) -> tuple[str, Mapping[str, str], bool]:
    """Return the base, the query, and whether deployments are in the path, for Azure's *url* and API *version*."""
    root = url.rstrip("/").removesuffix("/v1").removesuffix("/openai")
    if version in ("", "v1") or version in _MOVING:
        return f"{root}/openai/v1", {"api-version": version} if version in _MOVING else {}, False
    return f"{root}/openai", {"api-version": version}, True


def _mode(settings: AzureSettings, *, has_key: bool) -> SignIn:
    keys, source = settings.variables("api_key"), settings.source("auth_mode")
    return mode_of(settings.get("auth_mode"), has_key=has_key, keys=keys, source=source)


def guard(base: str, hosts: Collection[str], *, source: str = "azure_openai_endpoint") -> None:
    """Raise `ConfigError` unless a token may be sent to *base*, which *source* names.

    It may by https to a host whose name ends in one of *hosts* that begin with a dot, and by any means to one that is
    named whole, as tests name 127.0.0.1.
    """
    parts = urlsplit(base)
    host = parts.hostname or ""
    ends = tuple(one for one in hosts if one.startswith("."))
    if host in hosts or (parts.scheme == "https" and host.endswith(ends)):
        return
    why = f"{host} is no host of Azure OpenAI" if parts.scheme == "https" else "it is not https"
    raise ConfigError(
        f"openai_chat: {source}: no token of Azure goes to {base}: {why}. Use https and a host that "
        f"ends in {', '.join(HOSTS)}, or a key: `azure_openai_auth_mode: api_key`."
    )

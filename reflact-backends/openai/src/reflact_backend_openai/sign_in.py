"""The ways to sign in to Azure, by name, and the token each one gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from reflact import ConfigError
from reflact.errors import unknown

from reflact_backend_openai.endpoint import Token

SignIn = Literal["api_key", "azure_cli", "managed_identity", "default", "openai_compatible"]
ALIASES: Mapping[str, SignIn] = {
    "key": "api_key",
    "aad": "managed_identity",
    "azure_ad": "managed_identity",
    "compat": "openai_compatible",
    "openai": "openai_compatible",
}
MODE = "azure_openai_auth_mode"
SIGN_INS: Mapping[SignIn, str] = {
    "api_key": "the key",
    "azure_cli": "the sign-in of `az login`",
    "managed_identity": "the managed identity",
    "default": "the credential that azure-identity found",
    "openai_compatible": "the key",
}
"""What lets a call in."""


def mode_of(named: str, *, has_key: bool, keys: str = "AZURE_OPENAI_API_KEY", source: str = MODE) -> SignIn:
    """Return the way to sign in that is *named*; `api_key` when none is and there is a key.

    *keys* are the variables that may hold a key, *source* is what names the way, both for a message.

    Raises `ConfigError` for a name that is none, and when a key is needed and there is none.
    """
    if not named and not has_key:
        raise ConfigError(
            f"openai_chat: no key for Azure OpenAI: set {keys}, or say how to sign in with "
            "`azure_openai_auth_mode` (azure_cli, managed_identity or default)."
        )
    known: dict[str, SignIn] = {**ALIASES, **{one: one for one in get_args(SignIn)}}
    mode = known.get(named.lower() or "api_key")
    if mode is None:
        raise ConfigError(f"openai_chat: {unknown(source, named, known)}")
    if mode == "api_key" and not has_key:
        raise ConfigError(f"openai_chat: `azure_openai_auth_mode: api_key` needs a key: set {keys}.")
    return mode


def token_source(mode: SignIn, *, scope: str, client_id: str) -> Token:
    """Return what gives a token for *scope* whenever it is called. Raises `ConfigError` without azure-identity."""
    try:
        from reflact_backend_openai.azure.tokens import tokens
    except ImportError:
        raise ConfigError(
            f"openai_chat: `azure_openai_auth_mode: {mode}` needs azure-identity: "
            "pip install 'reflact-backend-openai[azure]'"
        ) from None
    return tokens(mode, scope=scope, client_id=client_id)

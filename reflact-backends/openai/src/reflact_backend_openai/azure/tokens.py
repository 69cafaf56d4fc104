"""Tokens of Azure from azure-identity, which keeps them and asks for new ones before they run out."""

from __future__ import annotations

from collections.abc import Callable

from azure.core.exceptions import AzureError, ClientAuthenticationError
from azure.identity import (
    AzureCliCredential,
    DefaultAzureCredential,
    ManagedIdentityCredential,
    get_bearer_token_provider,
)
from reflact import BackendError
from reflact.llm.complaints import squeezed

from reflact_backend_openai.sign_in import SIGN_INS, SignIn


def tokens(mode: SignIn, *, scope: str, client_id: str) -> Callable[[], str]:
    """Return what gives a token for *scope*, thread-safe; it raises `BackendError` when there is none."""
    provide = get_bearer_token_provider(_credential(mode, client_id), scope)
    return lambda: _ask(provide, SIGN_INS[mode])


def _credential(
    mode: SignIn, client_id: str
) -> AzureCliCredential | DefaultAzureCredential | ManagedIdentityCredential:
    if mode == "azure_cli":
        return AzureCliCredential()
    if mode == "managed_identity":
        return ManagedIdentityCredential(client_id=client_id or None)
    return DefaultAzureCredential(managed_identity_client_id=client_id or None)


def _ask(provide: Callable[[], str], source: str) -> str:
    try:
        return provide()
    except ClientAuthenticationError as error:
        why = squeezed(str(error)).rstrip(".")
        told = f"openai_chat: no token from {source}: {why}."
        raise BackendError(f"{told} Sign in again (`az login`, say), then resume.", fault="auth") from None
    except AzureError as error:
        why = squeezed(str(error)).rstrip(".")
        raise BackendError(f"openai_chat: no token from {source}: {why}.", fault="unavailable") from None

"""Registers `openai_chat`: OpenAI, Azure OpenAI, and every server that speaks Chat Completions or Responses."""

from collections.abc import Iterable

from reflact import BackendSpec, hookimpl

from reflact_backend_openai.client import access, of_role
from reflact_backend_openai.config import OpenAIConfig
from reflact_backend_openai.model import OpenAIChat, unhosted

__all__ = ["OpenAIChat", "OpenAIConfig", "reflact_backends"]


@hookimpl
def reflact_backends() -> Iterable[BackendSpec]:
    """Return the backend."""
    return [
        BackendSpec(
            name="openai_chat",
            kind="chat",
            config=OpenAIConfig,
            build=OpenAIChat,
            variables=of_role,
            access=access,
            hosted=lambda config, tool: unhosted(config),
            summary="OpenAI, Azure OpenAI and compatible servers",
        )
    ]

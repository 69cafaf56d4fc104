"""Registers `claude_chat`: Claude, and every server that speaks the Messages API. The SDK is imported on first use."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from reflact.contracts import Access, BackendSpec
from reflact.hookspecs import hookimpl

from reflact_backend_anthropic.config import ClaudeConfig

if TYPE_CHECKING:
    from reflact_backend_anthropic.model import ClaudeChat

__all__ = ["ClaudeConfig", "reflact_backends"]


@hookimpl
def reflact_backends() -> Iterable[BackendSpec]:
    """Return the backend."""
    return [
        BackendSpec(
            name="claude_chat",
            kind="chat",
            config=ClaudeConfig,
            build=_build,
            access=_access,
            hosted=lambda config, tool: "",
            summary="Claude and compatible servers (Messages)",
        )
    ]


def _build(config: Any) -> ClaudeChat:
    from reflact_backend_anthropic.model import ClaudeChat

    return ClaudeChat(config)


def _access(config: Any) -> Access:
    from reflact_backend_anthropic.client import access

    return access(config)

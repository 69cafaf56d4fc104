"""Registers `claude_code_exec`: Claude Code as student; as teacher or judge it only answers. Imported on first use."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from reflact.contracts import Access, BackendSpec
from reflact.hookspecs import hookimpl

from reflact_backend_claude_code.config import ClaudeCodeConfig

if TYPE_CHECKING:
    from reflact_backend_claude_code.agent import ClaudeCodeAgent
    from reflact_backend_claude_code.chat import ClaudeCodeChat

__all__ = ["ClaudeCodeConfig", "reflact_backends"]


@hookimpl
def reflact_backends() -> Iterable[BackendSpec]:
    """Return the backend."""
    return [
        BackendSpec(
            name="claude_code_exec",
            kind="exec",
            config=ClaudeCodeConfig,
            build=_agent,
            chat=_chat,
            access=_access,
            summary="Claude Code, a command-line agent",
            concurrency=os.cpu_count() or 1,
        )
    ]


def _agent(config: Any) -> ClaudeCodeAgent:
    from reflact_backend_claude_code.agent import ClaudeCodeAgent

    return ClaudeCodeAgent(config)


def _chat(config: Any) -> ClaudeCodeChat:
    from reflact_backend_claude_code.chat import ClaudeCodeChat

    return ClaudeCodeChat(config)


def _access(config: Any) -> Access:
    from reflact_backend_claude_code.client import access

    found = access(config)
    return Access(endpoint=found.shown, key=found.place.strip("`"))

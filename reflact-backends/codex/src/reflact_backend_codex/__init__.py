"""Registers `codex_exec`: the Codex command as student, and as teacher or judge that only answers."""

from collections.abc import Iterable

from reflact import BackendSpec, hookimpl

from reflact_backend_codex.agent import CodexAgent
from reflact_backend_codex.config import CodexConfig
from reflact_backend_codex.model import CodexChat

__all__ = ["CodexAgent", "CodexChat", "CodexConfig", "reflact_backends"]

CONCURRENCY = 8
"""Processes at once by default: each takes some 150 MB, and the shell commands of its model besides."""


@hookimpl
def reflact_backends() -> Iterable[BackendSpec]:
    """Return the backend."""
    return [
        BackendSpec(
            name="codex_exec",
            kind="exec",
            config=CodexConfig,
            build=CodexAgent,
            chat=CodexChat,
            summary="the Codex command-line agent (codex exec)",
            concurrency=CONCURRENCY,
        )
    ]

"""The Codex of this machine, looked at once however many threads ask."""

from __future__ import annotations

from threading import Lock

from reflact.agents import Program, examined

from reflact_backend_codex.client import Client
from reflact_backend_codex.config import CodexConfig

HELPS = (("exec", "--help"), ("features", "list"))
"""What is asked of a program to learn its flags and its features."""


class Installed:
    """The program that a configuration names."""

    def __init__(self, config: CodexConfig, client: Client) -> None:
        self._config = config
        self._client = client
        self._lock = Lock()
        self._program: Program | None = None

    @property
    def program(self) -> Program:
        """The program, its version and its flags. Raises `BackendError` when there is none."""
        with self._lock:
            if self._program is None:
                found = self._client.program(self._config)
                self._program = examined(found, helps=HELPS, environ=self._client.environ)
            return self._program

"""An env and a backend called nobody, for commands that need a whole configuration and not all of its parts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from reflact.config import Config
from reflact.contracts import BackendSpec, EnvSpec, Kind
from reflact.errors import ConfigError
from reflact.hookspecs import hookimpl

NOBODY = "nobody"


class Nobody:
    """Registers a backend of *kind* that is never asked, and an env that has no tasks."""

    def __init__(self, kind: Kind = "chat") -> None:
        self._kind: Kind = kind

    @hookimpl
    def reflact_backends(self) -> Iterable[BackendSpec]:
        """Return the backend."""
        return [BackendSpec(name=NOBODY, kind=self._kind, config=Config, build=refuse)]

    @hookimpl
    def reflact_envs(self) -> Iterable[EnvSpec]:
        """Return the env."""
        return [EnvSpec(name=NOBODY, config=Config, build=refuse)]


def refuse(config: Config) -> Any:
    """Raise `ConfigError`: nobody is asked."""
    raise ConfigError("nobody is asked")

"""The embedded model for ReflACT: `local_chat`, for teacher, student and judge, without key, server or GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reflact.contracts import BackendSpec
from reflact.hookspecs import hookimpl

from reflact_backend_local.config import LocalConfig

if TYPE_CHECKING:
    from reflact_backend_local.model import LocalChat


def _build(config: Any) -> LocalChat:
    from reflact_backend_local.client import build

    return build(config)


@hookimpl
def reflact_backends() -> list[BackendSpec]:
    """Register `local_chat`."""
    return [
        BackendSpec(
            name="local_chat",
            kind="chat",
            config=LocalConfig,
            build=_build,
            summary="a small instruct model inside this process: no key, no server, no GPU",
            free=True,
        )
    ]

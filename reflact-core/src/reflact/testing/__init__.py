"""What plugin authors test with: contract suites to subclass, fakes that need no network. Imported on first use."""

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reflact.testing.agent import AgentContract
    from reflact.testing.backend import BackendContract
    from reflact.testing.chat import ChatContract
    from reflact.testing.env import EnvContract
    from reflact.testing.fakes import ScriptedModel, ScriptedTeacher, scripted_backend
    from reflact.testing.prompts import PromptContract
    from reflact.testing.server import FakeModelServer, FakeReply, FakeRequest
    from reflact.testing.update_mode import UpdateModeContract

_HOME = {
    "AgentContract": "reflact.testing.agent",
    "BackendContract": "reflact.testing.backend",
    "ChatContract": "reflact.testing.chat",
    "EnvContract": "reflact.testing.env",
    "FakeModelServer": "reflact.testing.server",
    "FakeReply": "reflact.testing.server",
    "FakeRequest": "reflact.testing.server",
    "PromptContract": "reflact.testing.prompts",
    "ScriptedModel": "reflact.testing.fakes",
    "ScriptedTeacher": "reflact.testing.fakes",
    "UpdateModeContract": "reflact.testing.update_mode",
    "scripted_backend": "reflact.testing.fakes",
}

__all__ = [
    "AgentContract",
    "BackendContract",
    "ChatContract",
    "EnvContract",
    "FakeModelServer",
    "FakeReply",
    "FakeRequest",
    "PromptContract",
    "ScriptedModel",
    "ScriptedTeacher",
    "UpdateModeContract",
    "scripted_backend",
]


_ASSERTING = tuple(
    f"{__name__}.{name}"
    for name in ("agent", "agent_chat", "backend", "chat", "env", "prompts", "registered", "update_mode")
)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if (pytest := sys.modules.get("pytest")) is not None:  # so that a failed contract shows what was compared
        pytest.register_assert_rewrite(*(one for one in _ASSERTING if one not in sys.modules))
    return getattr(import_module(_HOME[name]), name)

"""Keys of section `model` that backends share: which setting of which backend each one stands for."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any

from pydantic import SecretStr

from reflact.config.layers import Layer, Leaf
from reflact.config.model import Model
from reflact.contracts import BackendSpec, RoleName

QWEN = "qwen_chat"
SHARED = tuple(
    f"{role}{backend}_"
    for role in ("", "teacher_", "student_")
    for backend in ("azure_openai", "qwen_chat", "codex_exec", "claude_code_exec")
)
"""How the keys begin that are meant for one kind of backend."""
AZURE = ("endpoint", "api_version", "api_key", "auth_mode", "ad_scope", "managed_identity_client_id")
RENAMED = {
    "codex_exec_reasoning_effort": ("effort", "reasoning_effort"),
    "claude_code_exec_effort": ("effort",),
    "qwen_chat_timeout_seconds": ("timeout_s", "timeout", "timeout_seconds"),
    "qwen_chat_enable_thinking": ("enable_thinking", "thinking"),
}
"""Shared keys whose setting is not simply the rest of their name; the first that the backend has is meant."""


@dataclass(frozen=True, slots=True)
class Filled:
    """A setting that a shared key fills, and that key."""

    key: str
    leaf: Leaf

    @property
    def for_all(self) -> bool:
        """Whether that key is for all roles."""
        return not self.key.startswith(("teacher_", "student_"))


def shared(role: RoleName, label: str, spec: BackendSpec, merged: Layer, model: Model) -> dict[str, Filled]:
    """Return the settings of *spec* that shared keys fill for *role*; a `teacher_…` key comes before a shared one.

    *label* is the backend as it was named, so that `qwen_chat` keys reach only a role that said so. Keys that are empty
    by default, and still are, fill nothing.
    """
    filled: dict[str, Filled] = {}
    for key, settings in _meant(role, label, spec):
        value = _plain(getattr(model, key))
        if value in ("", None) and _plain(Model.model_fields[key].default) in ("", None):
            continue
        setting = next((one for one in settings if one in spec.config.model_fields), None)
        if setting is not None:
            value = ("on" if value else "off") if setting == "thinking" else value
            leaf = merged.get(("model", key), Leaf(None, "default", f"model.{key}", -1))
            filled[setting] = Filled(key, replace(leaf, value=value))
    return filled


def without_effect(merged: Layer, model: Model, used: Collection[str]) -> list[str]:
    """Return a warning for each shared key that was given, is not at its default, and reached no role."""
    warnings = []
    for key in Model.model_fields:
        leaf = merged.get(("model", key))
        if leaf is None or key in used or not key.startswith(SHARED):
            continue
        if _plain(getattr(model, key)) != _plain(Model.model_fields[key].default):
            warnings.append(f"{leaf.place}: {leaf.written} has no effect: no role's backend has such a setting")
    return warnings


def _plain(value: Any) -> Any:
    return value.get_secret_value() if isinstance(value, SecretStr) else value


def _meant(role: RoleName, label: str, spec: BackendSpec) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield shared keys that concern *role*, less specific ones first, with the settings they may stand for."""
    if spec.kind == "chat" and label != QWEN:
        yield "reasoning_effort", ("effort", "reasoning_effort")
    own = "teacher" if role == "judge" else role
    for prefix in ("", f"{own}_"):
        for rest in AZURE if spec.name == "openai_chat" else ():
            yield f"{prefix}azure_openai_{rest}", (f"azure_openai_{rest}", f"azure_{rest}")
        for key in Model.model_fields:
            if key.startswith(f"{prefix}{label}_") and key.startswith(SHARED):
                rest = key.removeprefix(f"{prefix}{label}_")
                yield key, RENAMED.get(key.removeprefix(prefix), (rest,))

"""Rules that depend on which layer a key comes from: what is given later, or higher up, decides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from reflact.config.explain import Fault
from reflact.config.layers import Layer, Leaf
from reflact.config.model import DEFAULT_MODEL
from reflact.config.spelling import ROLES
from reflact.config.yaml import Keys
from reflact.errors import unknown

BACKENDS: Mapping[str, str] = {
    "openai": "openai_chat",
    "azure": "openai_chat",
    "azure-openai": "openai_chat",
    "azure_openai": "openai_chat",
    "claude": "claude_chat",
    "anthropic": "claude_chat",
    "codex": "codex_exec",
    "claude_code": "claude_code_exec",
    "qwen": "qwen_chat",
}
PAIRS: Mapping[str, tuple[str, str]] = {
    "codex_exec": ("openai_chat", "codex_exec"),
    "claude_code_exec": ("openai_chat", "claude_code_exec"),
    "qwen_chat": ("openai_chat", "qwen_chat"),
}
"""Teacher and student of the legacy labels that do not put both on the same backend."""

PACKAGES: Mapping[str, str] = {
    "openai_chat": "reflact-backend-openai",
    "claude_chat": "reflact-backend-anthropic",
    "codex_exec": "reflact-backend-codex",
    "claude_code_exec": "reflact-backend-claude-code",
    "local_chat": "reflact-backend-local",
}
"""The distributions of backends that need not be installed."""

Merged = dict[Keys, Leaf]
LABEL: Keys = ("model", "backend")


def backend_name(name: str, installed: Iterable[str]) -> str:
    """Return *name*, or what it is an alias of; an installed backend of that very name comes first."""
    return name if name in installed else BACKENDS.get(name.strip().lower(), name)


def spread_label(merged: Merged, installed: list[str]) -> tuple[Merged, list[Fault]]:
    """Let `model.backend` set the roles' backends, but for a role whose own is given in the same or a higher layer."""
    label = merged.get(LABEL)
    if label is None or not label.value or not isinstance(label.value, str):
        return merged, []
    name = backend_name(str(label.value), installed)
    known = {*installed, *BACKENDS.values(), *PACKAGES}
    if name not in known:
        return merged, [Fault(label.place, f"{label.written}: {unknown('backend', name, {*known, *BACKENDS})}")]
    settled = dict(merged)
    for role, backend in zip(("teacher", "student"), PAIRS.get(name, (name, name)), strict=True):
        own = merged.get(("model", role, "backend"))
        if own is None or own.rank < label.rank:
            settled["model", role, "backend"] = replace(label, value=backend)
    return settled, []


def leave_behind(merged: Merged, layers: Iterable[Layer], installed: list[str]) -> Merged:
    """Leave out settings of a role that belong to a backend it no longer has.

    When a higher layer moved the role to another backend, these stay behind: what was given together with the old
    backend, in one layer, and a model that is still the default.
    """
    settled = dict(merged)
    layers = list(layers)
    for role in ROLES:
        backend = merged.get(("model", role, "backend"))
        if backend is None:
            continue
        now = backend_name(str(backend.value), installed)
        others = {
            leaf.rank
            for one in layers
            if (leaf := one.get(("model", role, "backend"))) and backend_name(str(leaf.value), installed) != now
        }
        for keys, leaf in merged.items():
            untouched = keys[2:] == ("model",) and leaf.value == DEFAULT_MODEL and now != "openai_chat"
            if keys[:2] == ("model", role) and leaf.rank < backend.rank and (leaf.rank in others or untouched):
                del settled[keys]
    return settled


def let_minimum_follow(merged: Merged) -> Merged:
    """Leave out a minimal learning rate from a lower layer that a higher layer's learning rate went below."""
    high, low = merged.get(("optimizer", "learning_rate")), merged.get(("optimizer", "min_learning_rate"))
    if high is None or low is None or low.rank >= high.rank:
        return merged
    if isinstance(high.value, int) and isinstance(low.value, int) and high.value < low.value:
        return {
            **merged,
            ("optimizer", "min_learning_rate"): replace(high, written="optimizer.min_learning_rate"),
        }
    return merged


def choose_split(env: Merged) -> Merged:
    """Let the data named in the highest layer decide how it is split: `split_dir`, or `data_path` by ratio."""
    mode = env.get(("split_mode",))
    named = [(leaf.rank, key, leaf) for key in ("data_path", "split_dir") if (leaf := env.get((key,))) and leaf.value]
    if not named:
        return env
    rank, key, leaf = max(named, key=lambda one: one[:2])
    if mode is not None and mode.rank >= rank:
        return env
    return {**env, ("split_mode",): replace(leaf, value="split_dir" if key == "split_dir" else "ratio")}

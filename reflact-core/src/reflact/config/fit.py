"""Which backend plays a role, and whether it can."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress

from reflact.config.explain import Fault
from reflact.config.layers import Leaf
from reflact.config.model import DEFAULT_BACKEND
from reflact.config.settle import PACKAGES, backend_name
from reflact.config.shared import QWEN
from reflact.config.yaml import Keys
from reflact.contracts import BackendSpec, EnvSpec, RoleName
from reflact.errors import ConfigError, PluginError
from reflact.plugins import Plugins


def chosen(
    role: RoleName, given: Mapping[Keys, Leaf], env: EnvSpec | None, plugins: Plugins
) -> tuple[BackendSpec, str] | Fault:
    """Return the backend that plays *role*, and what it was called; or why it cannot."""
    named = given.get(("backend",), Leaf(DEFAULT_BACKEND, "", f"model.{role}_backend"))
    installed = plugins.names("backends")
    label = backend_name(str(named.value), installed)
    name = "openai_chat" if label == QWEN and label not in installed else label
    if name not in installed and name in PACKAGES:
        mend = f"pip install {PACKAGES[name]}"
        told = f"backend {name!r} is not installed: {mend}; installed: {_list(installed)}"
        return Fault(named.place, f"{named.written}: {told}")
    try:
        spec: BackendSpec = plugins.get("backends", name)
    except ConfigError as error:
        return Fault(named.place, f"{named.written}: {error}")
    reason = _misfit(role, spec, env)
    if reason:
        return Fault(named.place, f"{named.written}: {reason}; use one of: {fitting(role, env, plugins)}")
    return spec, label


def _misfit(role: RoleName, spec: BackendSpec, env: EnvSpec | None) -> str:
    """Return why *spec* cannot play *role* in *env*; empty when it can."""
    if role != "student" and spec.kind == "exec" and spec.chat is None:
        return f"{spec.name!r} is a command-line agent and cannot be the {role}"
    if role not in spec.roles:
        return f"{spec.name!r} cannot be the {role}"
    if role == "student" and env is not None and spec.kind not in env.students:
        return f"env {env.name!r} takes no {spec.kind} student"
    return ""


def fitting(
    role: RoleName, env: EnvSpec | None, plugins: Plugins, *, having: Callable[[BackendSpec], bool] = lambda _: True
) -> str:
    """Return the names of the installed backends that can play *role* in *env*, which imports them all.

    Of these only those of which *having* is true.
    """
    names = []
    for name in plugins.names("backends"):
        with suppress(PluginError):
            spec = plugins.get("backends", name)
            if not _misfit(role, spec, env) and having(spec):
                names.append(name)
    return _list(names)


def _list(names: list[str]) -> str:
    return ", ".join(names) or "none"

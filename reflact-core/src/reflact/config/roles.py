"""From section `model` to the roles: which backend plays each, validated by the backend's own model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from reflact.config.explain import Fault
from reflact.config.layers import Layer, Leaf, below, merge
from reflact.config.model import DEFAULT_BACKEND, DEFAULT_MODEL, Model
from reflact.config.schema import Config
from reflact.config.section import section
from reflact.config.settle import BACKENDS, backend_name
from reflact.config.shared import QWEN, shared, without_effect
from reflact.config.spend import Limits
from reflact.config.yaml import Keys
from reflact.contracts import BackendSpec, EnvSpec, RoleName
from reflact.errors import ConfigError
from reflact.plugins import Plugins


@dataclass(frozen=True, slots=True)
class Role:
    """Who plays a role: a backend, its settings as the backend's own model, and how calls to it are made."""

    name: RoleName
    backend: str
    spec: BackendSpec
    settings: Config
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class Cast:
    """The roles, where each of their settings comes from, what is wrong with them, and what has no effect."""

    roles: Mapping[RoleName, Role]
    origins: Mapping[str, str]
    faults: list[Fault]
    warnings: list[str]


def cast(merged: Layer, model: Model, env: EnvSpec | None, plugins: Plugins) -> Cast:
    """Return the roles that *merged* describes. Imports the backends they name, and no other."""
    names: list[RoleName] = ["teacher", "student"]
    if (env is not None and env.judge) or below(merged, "model", "judge"):
        names.append("judge")
    roles: dict[RoleName, Role] = {}
    origins: dict[str, str] = {}
    faults: list[Fault] = []
    warnings: list[str] = []
    used: set[str] = set()
    for name in names:
        given = _given(merged, name)
        if given.get(("backend",)) and not isinstance(given["backend",].value, str | int):
            continue
        found = _backend(name, given, env, plugins)
        if isinstance(found, Fault):
            faults.append(found)
            continue
        spec, label = found
        filled = shared(name, label, spec, merged, model)
        own, idle = _own(given, spec)
        fields: dict[Keys, Leaf] = {(setting,): one.leaf for setting, one in filled.items()}
        how = {keys: leaf for keys, leaf in own.items() if keys[0] in Limits.model_fields}
        what = {keys: leaf for keys, leaf in own.items() if keys not in how or keys[0] in spec.config.model_fields}
        part = section(
            spec.config,
            f"model.{name}",
            merge([_defaults(name, label, spec), fields, what]),
            also=[f"model.{name}.{key}" for key in Limits.model_fields],
        )
        limits = section(Limits, f"model.{name}", how)
        used |= {one.key for one in filled.values()}
        origins |= {**part.origins, **limits.origins}
        faults += [*part.faults, *limits.faults]
        warnings += idle
        if part.config is not None and isinstance(limits.config, Limits):
            roles[name] = Role(name, spec.name, spec, part.config, limits.config)
    return Cast(roles, origins, faults, warnings + ([] if faults else without_effect(merged, model, used)))


def _given(merged: Layer, name: RoleName) -> dict[Keys, Leaf]:
    """Return the role's own keys; the judge's lie over the teacher's as long as both have one backend."""
    own = below(merged, "model", name)
    if name != "judge":
        return own
    teacher = below(merged, "model", "teacher")
    backend, theirs = own.get(("backend",)), teacher.get(("backend",))
    same = backend is None or backend.value == (theirs.value if theirs else DEFAULT_BACKEND)
    return merge([teacher, own]) if same else own


def _backend(
    role: RoleName, given: Mapping[Keys, Leaf], env: EnvSpec | None, plugins: Plugins
) -> tuple[BackendSpec, str] | Fault:
    """Return the backend that plays *role*, and what it was called; or why it cannot."""
    named = given.get(("backend",), Leaf(DEFAULT_BACKEND, "", f"model.{role}_backend"))
    installed = plugins.names("backends")
    label = backend_name(str(named.value), installed)
    name = "openai_chat" if label == QWEN and label not in installed else label
    if name not in installed and name in BACKENDS.values():
        return Fault(named.place, f"{named.written}: backend {name!r} is not installed; installed: {_list(installed)}")
    try:
        spec: BackendSpec = plugins.get("backends", name)
    except ConfigError as error:
        return Fault(named.place, f"{named.written}: {error}")
    return _misfit(role, spec, env, named, plugins) or (spec, label)


def _misfit(name: RoleName, spec: BackendSpec, env: EnvSpec | None, named: Leaf, plugins: Plugins) -> Fault | None:
    chats = [one for one in plugins.names("backends") if not one.endswith("_exec")]
    agents = [one for one in plugins.names("backends") if one.endswith("_exec")]
    if name != "student" and spec.kind != "chat" and spec.chat is None:
        reason = f"{spec.name!r} is a command-line agent and cannot be the {name}; use a chat backend: {_list(chats)}"
    elif name not in spec.roles:
        reason = f"{spec.name!r} cannot be the {name}; it can be the {' or the '.join(sorted(spec.roles))}"
    elif name == "student" and env is not None and spec.kind not in env.students:
        fitting, noun = (chats, "chat") if "chat" in env.students else (agents, "exec")
        reason = f"env {env.name!r} takes no {spec.kind} student; use a backend of kind {noun}: {_list(fitting)}"
    else:
        return None
    return Fault(named.place, f"{named.written}: {reason}")


def _defaults(name: RoleName, label: str, spec: BackendSpec) -> dict[Keys, Leaf]:
    """Return what the name of a backend implies: the contract's model, or a local server for `qwen_chat`."""
    implied: dict[str, str] = {}
    if label == "openai_chat":
        implied = {"model": DEFAULT_MODEL}
    elif label == QWEN and spec.name != QWEN:
        implied = {"model": "Qwen/Qwen3.5-4B", "base_url": "http://localhost:8000/v1"}
    return {
        (field,): Leaf(value, "default", f"model.{name}.{field}", -1)
        for field, value in implied.items()
        if field in spec.config.model_fields
    }


def _own(given: Mapping[Keys, Leaf], spec: BackendSpec) -> tuple[dict[Keys, Leaf], list[str]]:
    """Return the role's own settings; one from below the layer that named the backend may not fit it, and is idle."""
    backend = given.get(("backend",))
    own: dict[Keys, Leaf] = {}
    idle: list[str] = []
    for keys, leaf in given.items():
        if (
            keys[0] not in {*spec.config.model_fields, *Limits.model_fields}
            and backend is not None
            and leaf.rank < backend.rank
        ):
            idle.append(f"{leaf.place}: {leaf.written} has no effect: {spec.name} has no such setting")
        elif keys != ("backend",):
            own[keys] = leaf
    return own, idle


def _list(names: list[str]) -> str:
    return ", ".join(names) or "none"

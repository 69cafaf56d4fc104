"""From section `model` to the roles: which backend plays each, validated by the backend's own model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from reflact.config.explain import Fault
from reflact.config.fit import chosen
from reflact.config.layers import Layer, Leaf, below, merge
from reflact.config.model import DEFAULT_BACKEND, DEFAULT_MODEL, Model
from reflact.config.schema import Config
from reflact.config.section import section
from reflact.config.shared import QWEN, shared, without_effect
from reflact.config.spend import Limits
from reflact.config.yaml import Keys
from reflact.contracts import BackendSpec, ChatModel, EnvSpec, ExecAgent, RoleName
from reflact.plugins import Plugins


@dataclass(frozen=True, slots=True)
class Role:
    """Who plays a role: a backend, its settings as the backend's own model, and how calls to it are made."""

    name: RoleName
    backend: str
    spec: BackendSpec
    settings: Config
    limits: Limits = field(default_factory=Limits)
    common: frozenset[str] = field(default=frozenset(), compare=False)
    """The settings that came from a key for all roles."""

    @property
    def said(self) -> Any:
        """What the environment says of this role alone; `None` where the backend asks for no such thing."""
        return self.spec.variables(self.name, self.common) if self.spec.variables else None

    def player(self, settings: Config) -> ChatModel | ExecAgent:
        """Return what plays the role under *settings*, its own or like them. An agent but the student only chats.

        Raises what the backend does, `ConfigError` as a rule.
        """
        build = (self.spec.chat if self.name != "student" else None) or self.spec.build
        return build(settings, self.said) if self.spec.variables else build(settings)


@dataclass(frozen=True, slots=True)
class Cast:
    """The roles, where each of their settings comes from, what is wrong with them, and what has no effect."""

    roles: Mapping[RoleName, Role]
    origins: Mapping[str, str]
    faults: list[Fault]
    warnings: list[str]


def cast(merged: Layer, model: Model, env: EnvSpec | None, plugins: Plugins, *, judged: bool) -> Cast:
    """Return the roles that *merged* describes, a judge among them where *env* is *judged*, or one is set up.

    Imports the backends they name, and no other.
    """
    names: list[RoleName] = ["teacher", "student"]
    if judged or any(leaf.value for leaf in below(merged, "model", "judge").values()):
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
        found = chosen(name, given, env, plugins)
        if isinstance(found, Fault):
            faults.append(found)
            continue
        spec, label = found
        filled = shared(name, label, spec, merged, model)
        own, idle = _own(given, spec)
        if nameless := _nameless(name, own, spec):
            faults += nameless
            continue
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
        common = frozenset(setting for setting, one in filled.items() if one.for_all and (setting,) not in what)
        origins |= {**part.origins, **limits.origins}
        faults += [*part.faults, *limits.faults]
        warnings += idle
        if part.config is not None and isinstance(limits.config, Limits):
            roles[name] = Role(name, spec.name, spec, part.config, limits.config, common)
    return Cast(roles, origins, faults, warnings + ([] if faults else without_effect(merged, model, used)))


def _given(merged: Layer, name: RoleName) -> dict[Keys, Leaf]:
    """Return the role's own keys; the judge's lie over the teacher's as long as both have one backend."""
    own = {keys: leaf for keys, leaf in below(merged, "model", name).items() if not _open(name, keys, leaf)}
    if name != "judge":
        return own
    teacher = below(merged, "model", "teacher")
    backend, theirs = own.get(("backend",)), teacher.get(("backend",))
    same = backend is None or backend.value == (theirs.value if theirs else DEFAULT_BACKEND)
    return merge([teacher, own]) if same else own


def _open(name: RoleName, keys: Keys, leaf: Leaf) -> bool:
    """Return whether *leaf* is empty where that leaves the choice to the teacher's, or to the default."""
    blank = leaf.value is None or not str(leaf.value).strip()
    return blank and keys in ((("backend",), ("model",)) if name == "judge" else (("backend",),))


def _nameless(role: RoleName, own: Mapping[Keys, Leaf], spec: BackendSpec) -> list[Fault]:
    """Return a fault when *role* is given an empty name of a model that its backend needs."""
    leaf = own.get(("model",))
    field = spec.config.model_fields.get("model")
    if leaf is None or field is None or not field.default or str(leaf.value or "").strip():
        return []
    return [Fault(leaf.place, f"{leaf.written}: the {role}'s model has no name; name one, or leave the key out")]


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

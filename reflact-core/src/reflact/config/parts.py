"""The parts of a merged configuration: the core's sections, the env's own keys, and keys that belong nowhere."""

from __future__ import annotations

from collections.abc import Mapping

from reflact.config.explain import Fault, unknown_key
from reflact.config.layers import Layer, Leaf, below
from reflact.config.roles import Role
from reflact.config.run import SECTIONS, RunConfig, TopLevel
from reflact.config.schema import EnvCommon, Optimizer
from reflact.config.section import EVERYWHERE, Section, section
from reflact.config.settle import choose_split
from reflact.config.spelling import ROLES
from reflact.config.split import SplitConfig
from reflact.config.yaml import Keys
from reflact.contracts import EnvSpec, RoleName
from reflact.errors import ConfigError, unknown
from reflact.plugins import Plugins, Slot

Parts = Mapping[str, Section]
TOP = ""


def core_sections(merged: Layer, plugins: Plugins) -> Parts:
    """Return the core's sections by name; the keys without a section stand under the empty name."""
    known = ", ".join(plugins.names("envs")) or "none is installed"
    leaves: dict[str, Layer] = {name: below(merged, name) for name in SECTIONS}
    leaves["model"] = _flat_roles(leaves["model"])
    leaves["env"] = {keys: leaf for keys, leaf in leaves["env"].items() if keys[0] in EnvCommon.model_fields}
    top = {keys: leaf for keys, leaf in merged.items() if keys[0] in TopLevel.model_fields}
    return {
        TOP: section(TopLevel, TOP, top),
        **{
            name: section(model, name, leaves[name], missing=f"name a benchmark ({known})")
            for name, model in SECTIONS.items()
        },
    }


def run_config(parts: Parts, roles: Mapping[RoleName, Role]) -> RunConfig:
    """Return the valid *parts* as one, in section `model` the models and backends that really play the *roles*."""
    played: dict[str, str] = {}
    for name, role in roles.items():
        played |= {name: getattr(role.settings, "model", ""), f"{name}_backend": role.backend}
    sections = {name: part.config for name, part in parts.items() if part.config is not None}
    sections["model"] = sections["model"].model_copy(update=played)
    top = sections.pop(TOP)
    return RunConfig.model_validate({**dict(top), **sections})


def env_spec(merged: Layer, plugins: Plugins) -> tuple[EnvSpec | None, list[Fault]]:
    """Return the env that *merged* names, or what is wrong with its name. Imports that env, and no other."""
    named = merged.get(("env", "name"))
    if named is None or not named.value or not isinstance(named.value, str | int):
        return None, []
    try:
        return plugins.get("envs", str(named.value)), []
    except ConfigError as error:
        return None, [Fault(named.place, f"{named.written}: {error}")]


def env_section(merged: Layer, spec: EnvSpec) -> Section:
    """Return the keys of section `env` that are the env's own, validated by its own model."""
    own = {keys: leaf for keys, leaf in below(merged, "env").items() if keys[0] not in EnvCommon.model_fields}
    if issubclass(spec.config, SplitConfig):
        own = choose_split(own)
    return section(spec.config, "env", own, also=[f"env.{key}" for key in EnvCommon.model_fields])


def misnamed_components(parts: Parts, plugins: Plugins) -> list[Fault]:
    """Return a fault for an update mode or a prompt pack that is not installed."""
    named: list[tuple[Slot, str, str]] = []
    optimizer, top = parts["optimizer"].config, parts[TOP].config
    if isinstance(optimizer, Optimizer):
        named.append(("update_modes", optimizer.skill_update_mode, "optimizer.skill_update_mode"))
    if isinstance(top, TopLevel):
        named += [("prompts", pack, "prompts") for pack in top.prompts]
    places = {**parts["optimizer"].origins, **parts[TOP].origins}
    nouns = {"update_modes": "update mode", "prompts": "prompt pack"}
    return [
        Fault(places[key], f"{key}: {unknown(nouns[slot], name, plugins.names(slot))}")
        for slot, name, key in named
        if name not in plugins.names(slot)
    ]


def strangers(merged: Layer, spec: EnvSpec | None) -> list[Fault]:
    """Return a fault for each top-level key that is no section, and for each section that is no mapping.

    A key that has a name of the core's, or of an own key of the env *spec*, is told where it belongs.
    """
    own = [f"env.{key}" for key in spec.config.model_fields] if spec else []
    faults: dict[str, Fault] = {}
    for keys, leaf in merged.items():
        reason = _strange(keys, leaf, [*EVERYWHERE, *own])
        if reason:
            faults.setdefault(keys[0], Fault(leaf.section_place or leaf.place, reason))
    return list(faults.values())


def _strange(keys: Keys, leaf: Leaf, everywhere: list[str]) -> str:
    head = keys[0]
    if head in SECTIONS:
        return "" if len(keys) > 1 or leaf.value in (None, {}) else f"{head}: a section is a mapping of keys"
    if head in TopLevel.model_fields:
        return ""
    if head.partition(".")[0] in SECTIONS:
        return f"{head}: a dotted key is for the command line; in a file, nest it below its section"
    return unknown_key(head, [*SECTIONS, *TopLevel.model_fields], [] if len(keys) > 1 else everywhere)


def _flat_roles(model: Layer) -> Layer:
    """Return section `model` with a role's model and backend as flat keys, and without its other settings."""
    flat: dict[Keys, Leaf] = {}
    for keys, leaf in model.items():
        if keys[0] not in ROLES or len(keys) == 1:
            flat[keys] = leaf
        elif keys[1:] == ("model",):
            flat[keys[:1]] = leaf
        elif keys[1:] == ("backend",):
            flat[f"{keys[0]}_backend",] = leaf
    return flat

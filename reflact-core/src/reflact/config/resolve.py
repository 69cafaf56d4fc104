"""From layers to a frozen, validated `Resolved`: every fault is found before one error tells them all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reflact.config.choices import truth
from reflact.config.demands import judged, needs, unfit
from reflact.config.explain import Fault, refuse
from reflact.config.layers import COMMAND_LINE, Layer, file_layers, layer, merge, override_layer, scalar
from reflact.config.legacy import FLAT, flag_keys, flag_layer, modernise, once
from reflact.config.model import Model
from reflact.config.parts import core_sections, env_section, env_spec, misnamed_components, run_config, strangers
from reflact.config.roles import Role, cast
from reflact.config.run import SECTIONS, RunConfig
from reflact.config.schema import Config
from reflact.config.section import Section
from reflact.config.settle import Merged, leave_behind, let_minimum_follow, spread_label
from reflact.config.spelling import spell
from reflact.config.yaml import Keys
from reflact.contracts import Ability, EnvSpec, RoleName
from reflact.errors import ConfigError, unknown
from reflact.plugins import Plugins


@dataclass(frozen=True, slots=True)
class Resolved:
    """All of a run's configuration, validated, with the place each key came from."""

    run: RunConfig
    env_spec: EnvSpec
    env: Config
    roles: Mapping[RoleName, Role]
    origins: Mapping[str, str]
    source: Path | None = None
    warnings: tuple[str, ...] = ()

    @property
    def needs(self) -> frozenset[Ability]:
        """What a chat student must be able to do in this run."""
        return needs(self.env_spec, self.env)

    @property
    def judged(self) -> bool:
        """Whether a judge grades in this run."""
        return judged(self.env_spec, self.env)


def load(
    path: Path | None,
    *,
    overrides: Sequence[str] = (),
    flags: Mapping[str, str] | None = None,
    plugins: Plugins,
) -> Resolved:
    """Return the configuration in the file *path* (`None`: only defaults), under *overrides*, under old *flags*.

    Raises one `ConfigError` with a line per fault; `PluginError` when a component it names cannot be loaded.
    """
    layers = file_layers(path) if path else []
    rank = len(layers)
    layers += [override_layer(text, rank=rank) for text in overrides]
    old, warnings = _flags(flags or {}, rank=rank)
    return _resolve([*layers, *old], plugins=plugins, source=path, warnings=warnings)


def resolve(data: Mapping[str, Any], *, plugins: Plugins) -> Resolved:
    """Return the configuration in *data*, which has the shape of a file. Raises like `load`."""
    return _resolve([layer(data, place="given")], plugins=plugins, source=None, warnings=[])


def _flags(flags: Mapping[str, str], *, rank: int) -> tuple[list[Layer], list[str]]:
    layers, warnings = [], []
    for flag, text in flags.items():
        keys = flag_keys(flag)
        if keys is None:
            raise ConfigError(f"{COMMAND_LINE}: {unknown('flag', flag, FLAT)}")
        value = truth(text) if _is_truth(keys) else scalar(f"--{flag}", text)
        one, warning = flag_layer(keys, value, flag=flag, place=COMMAND_LINE, rank=rank)
        layers.append(one)
        warnings.append(warning)
    return layers, warnings


def _is_truth(keys: Keys) -> bool:
    field = SECTIONS[keys[0]].model_fields.get(keys[1])
    annotation = field.annotation if field else None
    return annotation in (bool, bool | None) or keys[1] in ("shuffle_choices", "use_theorem", "use_sketch")


def _resolve(layers: Sequence[Layer], *, plugins: Plugins, source: Path | None, warnings: list[str]) -> Resolved:
    merged, old, faults = _settled(layers, plugins.names("backends"))
    parts = core_sections(merged, plugins)
    spec, misnamed = env_spec(merged, plugins)
    own = Section(None, {}) if spec is None else env_section(merged, spec)
    model = parts["model"].config
    asked = model if isinstance(model, Model) else Model()
    players = cast(merged, asked, spec, plugins, judged=judged(spec, own.config))
    faults += [*strangers(merged, spec), *(fault for part in parts.values() for fault in part.faults)]
    faults += unfit(spec, own.config, players.roles.get("student"), plugins)
    refuse([*faults, *misnamed, *misnamed_components(parts, plugins), *own.faults, *players.faults])
    if spec is None or own.config is None:
        raise ConfigError("env.name: missing; name a benchmark")
    origins: dict[str, str] = {}
    for part in (*parts.values(), own):
        origins |= part.origins
    return Resolved(
        run=run_config(parts, players.roles),
        env_spec=spec,
        env=own.config,
        roles=players.roles,
        origins=origins | dict(players.origins),
        source=source,
        warnings=once([*warnings, *old, *players.warnings]),
    )


def _settled(layers: Sequence[Layer], backends: list[str]) -> tuple[Merged, list[str], list[Fault]]:
    """Return *layers* in one spelling, merged and settled, with what to warn about and what is wrong."""
    spelled: list[Layer] = []
    warnings: list[str] = []
    faults: list[Fault] = []
    for one in layers:
        modern, old = modernise(one)
        named, twins = spell(modern)
        spelled.append(named)
        warnings += old
        faults += twins
    merged, unclear = spread_label(merge(spelled), backends)
    return let_minimum_follow(leave_behind(merged, spelled, backends)), warnings, [*faults, *unclear]

"""Find plugins by name without importing them, and import exactly those a run names.

Every kind of component has an entry-point group of its own, and an entry point's name is the component's name, so
listing needs package metadata only. There is no module-level manager: whoever starts a run makes one and passes it on.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import Distribution, EntryPoint, distributions
from pathlib import Path
from typing import Any, Literal

import pluggy

from reflact import hookspecs
from reflact.errors import ConfigError, PluginError, unknown

Slot = Literal["envs", "backends", "update_modes", "prompts", "observers"]

NOUN: Mapping[Slot, str] = {
    "envs": "env",
    "backends": "backend",
    "update_modes": "update mode",
    "prompts": "prompt pack",
    "observers": "observer",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Announced:
    """A component as package metadata, or a registered object, announces it."""

    slot: Slot
    name: str
    distribution: str
    version: str
    entry: EntryPoint | None = None

    def __str__(self) -> str:
        return f"{NOUN[self.slot]} {self.name!r} ({self.distribution} {self.version})".replace(" )", ")")


class Plugins:
    """The components that can be named, and the observers that listen."""

    def __init__(self, installed: Iterable[Distribution] | None = None) -> None:
        """Look for entry points in *installed*, or in everything that is installed."""
        self._manager = pluggy.PluginManager("reflact")
        self._manager.add_hookspecs(hookspecs)
        self._announced: dict[Slot, dict[str, list[Announced]]] = {slot: {} for slot in NOUN}
        self._specs: dict[tuple[Slot, str], Any] = {}
        self._from: dict[int, str] = {}
        seen: set[tuple[str, str, str]] = set()
        for dist in distributions() if installed is None else installed:
            for entry in dist.entry_points:
                group, _, slot = entry.group.partition(".")
                if group != "reflact" or slot not in NOUN or (key := (slot, entry.name, entry.value)) in seen:
                    continue
                seen.add(key)
                self._announce(
                    Announced(slot=slot, name=entry.name, distribution=dist.name, version=dist.version, entry=entry)  # type: ignore[arg-type]
                )

    def names(self, slot: Slot) -> list[str]:
        """Return the names in *slot*, sorted, without importing any plugin."""
        return sorted(self._announced[slot])

    def announced(self) -> Iterator[Announced]:
        """Yield every announced component, by slot and name."""
        for slot in NOUN:
            for name in self.names(slot):
                yield from self._announced[slot][name]

    def get(self, slot: Slot, name: str) -> Any:
        """Return the spec *name* of *slot*, importing its plugin.

        Raises `ConfigError` for an unknown name, `PluginError` for a plugin that cannot be used.
        """
        found = self._announced[slot].get(name)
        if not found:
            raise ConfigError(unknown(NOUN[slot], name, self.names(slot)))
        if len(found) > 1:
            owners = ", ".join(f"{one.distribution} {one.version}" for one in found)
            raise PluginError(f"{NOUN[slot]} {name!r} is provided more than once: {owners}. Uninstall all but one.")
        self._load(found[0])
        if (slot, name) not in self._specs:
            raise PluginError(f"{found[0]} is announced but its hook reflact_{slot} does not return it.")
        return self._specs[slot, name]

    def register(self, plugin: object, *, label: str = "") -> None:
        """Register *plugin*, a module or an object with hook implementations, under *label* in messages."""
        label = label or getattr(plugin, "__name__", type(plugin).__name__)
        self._register(plugin, label)
        for slot in ("envs", "backends", "update_modes", "prompts"):
            for spec in self._collect(slot, plugin, label):
                self._announce(Announced(slot=slot, name=spec.name, distribution=label, version=""))
                self._specs[slot, spec.name] = spec

    def load_file(self, path: Path) -> None:
        """Register the Python file at *path* as a plugin. Raises `PluginError` when it is missing or fails."""
        if not path.is_file():
            raise PluginError(f"no plugin file at {path}")
        spec = importlib.util.spec_from_file_location(f"reflact_file_{path.stem}", path)
        if spec is None or spec.loader is None:
            raise PluginError(f"{path} is not a Python file")
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            raise PluginError(f"plugin file {path} failed to load: {error}") from error
        self.register(module, label=str(path))

    def observers(self, *, disabled: frozenset[str] = frozenset()) -> Any:
        """Return the hook caller for observers, having loaded every announced one that is not *disabled*."""
        for name in disabled - set(self.names("observers")):
            raise ConfigError(unknown("observer", name, self.names("observers")))
        for name, found in self._announced["observers"].items():
            if name not in disabled:
                for one in found:
                    self._load(one)
        return self._manager.hook

    def _announce(self, one: Announced) -> None:
        self._announced[one.slot].setdefault(one.name, []).append(one)

    def _load(self, one: Announced) -> None:
        if one.entry is None:
            return
        try:
            plugin = one.entry.load()
        except Exception as error:
            raise PluginError(f"{one} failed to load: {error}") from error
        if self._manager.is_registered(plugin):
            return
        self._register(plugin, f"{one.distribution} {one.version}")
        for slot in ("envs", "backends", "update_modes", "prompts"):
            for spec in self._collect(slot, plugin, one.distribution):
                self._specs[slot, spec.name] = spec

    def _register(self, plugin: object, label: str) -> None:
        try:
            self._manager.register(plugin)
            self._manager.check_pending()
        except (pluggy.PluginValidationError, ValueError) as error:
            if self._manager.is_registered(plugin):
                self._manager.unregister(plugin)
            raise PluginError(f"plugin {label} does not fit the hooks: {error}") from error

    def _collect(self, slot: str, plugin: object, label: str) -> list[Any]:
        others = [other for other in self._manager.get_plugins() if other is not plugin]
        caller = self._manager.subset_hook_caller(f"reflact_{slot}", remove_plugins=others)
        try:
            return [spec for specs in caller() for spec in specs]
        except Exception as error:
            raise PluginError(f"plugin {label}: hook reflact_{slot} failed: {error}") from error

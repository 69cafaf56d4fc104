"""Find plugins by name without importing them, and import exactly those a run names.

Every kind of component has an entry-point group of its own, and an entry point's name is the component's name, so
listing needs package metadata only. There is no module-level manager: whoever starts a run makes one and passes it on.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import Distribution, EntryPoint, distributions
from pathlib import Path
from typing import Any, Literal

import pluggy

from reflact import hookspecs
from reflact.contracts import BackendSpec, EnvSpec, PromptPack, UpdateModeSpec
from reflact.errors import ConfigError, PluginError, unknown

Slot = Literal["envs", "backends", "update_modes", "prompts", "observers"]

NOUN: Mapping[Slot, str] = {
    "envs": "env",
    "backends": "backend",
    "update_modes": "update mode",
    "prompts": "prompt pack",
    "observers": "observer",
}
SPEC: Mapping[Slot, type[Any]] = {
    "envs": EnvSpec,
    "backends": BackendSpec,
    "update_modes": UpdateModeSpec,
    "prompts": PromptPack,
}
"""What a plugin returns for each slot it can register a component in; observers only listen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Announced:
    """A component as package metadata, or a registered object, announces it."""

    slot: Slot
    name: str
    distribution: str
    version: str
    entry: EntryPoint | None = None

    @property
    def owner(self) -> str:
        """The distribution and its version; what is registered by hand has none."""
        return f"{self.distribution} {self.version}".strip()

    def __str__(self) -> str:
        return f"{NOUN[self.slot]} {self.name!r} ({self.owner})"


class Plugins:
    """The components that can be named, and the observers that listen."""

    def __init__(self, installed: Iterable[Distribution] | None = None) -> None:
        """Look for entry points in *installed*, or in everything that is installed."""
        self._manager = pluggy.PluginManager("reflact")
        self._manager.add_hookspecs(hookspecs)
        self._announced: dict[Slot, dict[str, list[Announced]]] = {slot: {} for slot in NOUN}
        self._specs: dict[tuple[Slot, str], Any] = {}
        seen: set[tuple[str, str, str]] = set()
        for dist in distributions() if installed is None else installed:
            for one in _components(dist):
                key = (one.slot, one.name, one.entry.value if one.entry else "")
                if key not in seen:
                    seen.add(key)
                    self._announce(one)

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
        one = self._only(slot, name)
        self._load(one)
        if (slot, name) not in self._specs:
            raise PluginError(f"{one} is announced but its hook reflact_{slot} does not return it.")
        return self._specs[slot, name]

    def register(self, plugin: object, *, label: str = "") -> None:
        """Register *plugin*, a module or an object with hook implementations, under *label* in messages."""
        label = label or getattr(plugin, "__name__", type(plugin).__name__)
        for slot, spec in self._register(plugin, label):
            self._announce(Announced(slot=slot, name=spec.name, distribution=label, version=""))
            self._specs[slot, spec.name] = spec

    def load_file(self, path: Path) -> None:
        """Register the Python file at *path* as a plugin. Raises `PluginError` when it is missing or fails."""
        if not path.is_file():
            raise PluginError(f"no plugin file at {path}")
        name = f"reflact_file_{path.stem}_{sha256(str(path.resolve()).encode()).hexdigest()[:8]}"
        spec = importlib.util.spec_from_file_location(name, path)
        if spec is None or spec.loader is None:
            raise PluginError(f"{path} is not a Python file")
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            del sys.modules[spec.name]
            raise PluginError(f"plugin file {path} failed to load: {_reason(error)}") from error
        self.register(module, label=str(path))

    def observers(self, *, disabled: frozenset[str] = frozenset()) -> Any:
        """Return the hook caller for observers, having loaded every announced one that is not *disabled*."""
        for name in disabled - set(self.names("observers")):
            raise ConfigError(unknown("observer", name, self.names("observers")))
        for name in self.names("observers"):
            if name not in disabled:
                self._load(self._only("observers", name))
        return self._manager.hook

    def _announce(self, one: Announced) -> None:
        self._announced[one.slot].setdefault(one.name, []).append(one)

    def _only(self, slot: Slot, name: str) -> Announced:
        found = self._announced[slot].get(name)
        if not found:
            raise ConfigError(unknown(NOUN[slot], name, self.names(slot)))
        if len(found) > 1:
            owners = ", ".join(one.owner for one in found)
            raise PluginError(f"{NOUN[slot]} {name!r} is provided more than once: {owners}. Keep only one of them.")
        return found[0]

    def _load(self, one: Announced) -> None:
        """Import the plugin of *one* and keep what it returns, as far as its own distribution announces it."""
        if one.entry is None:
            return
        try:
            plugin = one.entry.load()
        except Exception as error:
            raise PluginError(f"{one} failed to load: {_reason(error)}") from error
        if self._manager.is_registered(plugin):
            return
        for slot, spec in self._register(plugin, one.owner):
            if any(other.owner == one.owner for other in self._announced[slot].get(spec.name, ())):
                self._specs[slot, spec.name] = spec

    def _register(self, plugin: object, label: str) -> list[tuple[Slot, Any]]:
        """Register *plugin*, or leave no trace of it, and return the specs it gives with their slots."""
        if self._manager.is_registered(plugin):
            raise PluginError(f"plugin {label} is registered already")
        try:
            self._manager.register(plugin)
            self._manager.check_pending()
            return self._collect(plugin, label)
        except (pluggy.PluginValidationError, ValueError, PluginError) as error:
            if self._manager.is_registered(plugin):
                self._manager.unregister(plugin)
            if isinstance(error, PluginError):
                raise
            raise PluginError(f"plugin {label} does not fit the hooks: {error}") from error

    def _collect(self, plugin: object, label: str) -> list[tuple[Slot, Any]]:
        others = [other for other in self._manager.get_plugins() if other is not plugin]
        found: list[tuple[Slot, Any]] = []
        for slot, kind in SPEC.items():
            caller = self._manager.subset_hook_caller(f"reflact_{slot}", remove_plugins=others)
            try:
                specs = [spec for given in caller() for spec in given]
            except Exception as error:
                raise PluginError(f"plugin {label}: hook reflact_{slot} failed: {_reason(error)}") from error
            for spec in specs:
                if not isinstance(spec, kind):
                    raise PluginError(f"plugin {label}: hook reflact_{slot} returned {spec!r}, not {kind.__name__}s")
                found.append((slot, spec))
        return found


def _components(dist: Distribution) -> Iterator[Announced]:
    """Yield what *dist* announces; nothing if its metadata cannot be read, which is for no stranger to break."""
    try:
        entries = list(dist.entry_points)
    except (OSError, TypeError, ValueError):
        return
    slots = {f"reflact.{slot}": slot for slot in NOUN}
    for entry in entries:
        if entry.group in slots:
            name, version = dist.name or "a distribution without metadata", dist.version or ""
            yield Announced(slot=slots[entry.group], name=entry.name, distribution=name, version=version, entry=entry)


def _reason(error: Exception) -> str:
    return str(error) if isinstance(error, ImportError) and str(error) else f"{type(error).__name__}: {error}"

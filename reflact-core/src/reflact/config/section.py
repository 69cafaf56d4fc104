"""Validate one section, keeping track of where its keys came from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from reflact.config.explain import Fault, Loc, faults
from reflact.config.layers import Layer, nest
from reflact.config.legacy import FLAT
from reflact.config.run import SECTIONS
from reflact.config.schema import Config
from reflact.config.validate import validate

EVERYWHERE = (*(f"{section}.{key}" for section, model in SECTIONS.items() for key in model.model_fields), *FLAT)


@dataclass(frozen=True, slots=True)
class Section:
    """A validated section (`None` when it has faults), and the place of each of its keys by dotted name."""

    config: Config | None
    origins: Mapping[str, str]
    faults: list[Fault] = field(default_factory=list)


def section(
    model: type[Config],
    name: str,
    leaves: Layer,
    *,
    also: Iterable[str] = (),
    missing: str = "it has no default",
) -> Section:
    """Return the section *name* (dotted; empty for the top level) of type *model* made from *leaves*.

    *also* are keys that may be meant by a misspelt one, though they are not *model*'s; *missing* says what to do about
    a missing key.
    """
    dotted = {field: f"{name}.{field}".lstrip(".") for field in model.model_fields}
    found = validate(model, nest(leaves))
    origins = {key: _place(leaves, (field,)) or "default" for field, key in dotted.items()}
    if isinstance(found, Config):
        return Section(found, origins)

    def find(loc: Loc) -> tuple[str, str]:
        keys = tuple(str(part) for part in loc)
        for end in range(len(keys), 0, -1):
            if keys[:end] in leaves:
                leaf = leaves[keys[:end]]
                return leaf.place, leaf.written
        key = ".".join(part for part in (name, *keys[:1]) if part)
        return _place(leaves, keys[:1]) or _latest(leaves), key

    known = [*dotted.values(), *also]
    return Section(None, origins, faults(found, find=find, known=known, everywhere=EVERYWHERE, missing=missing))


def _place(leaves: Layer, keys: tuple[str, ...]) -> str:
    found = [leaf for path, leaf in leaves.items() if path[: len(keys)] == keys]
    return max(found, key=lambda leaf: leaf.rank).place if found else ""


def _latest(leaves: Layer) -> str:
    return _place(leaves, ())

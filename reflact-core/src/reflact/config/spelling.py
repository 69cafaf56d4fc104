"""One spelling for the roles in section `model`: `teacher_backend: x` and `teacher: {backend: x}` are the same key."""

from __future__ import annotations

from collections.abc import Mapping

from reflact.config.explain import Fault
from reflact.config.layers import Layer, Leaf
from reflact.config.yaml import Keys

ROLES = ("teacher", "student", "judge")
ALIASES: Mapping[str, str] = {"optimizer": "teacher", "target": "student"}
_WHOLE = {(name,) for name in (*ROLES, *ALIASES)}


def spell(given: Layer) -> tuple[Layer, list[Fault]]:
    """Return *given* with a role's keys below `model.ROLE`, its model as `model.ROLE.model`, and no alias.

    A key a layer gives in two spellings, with two values, is a fault.
    """
    spelled: dict[Keys, Leaf] = {}
    faults: list[Fault] = []
    for keys, leaf in given.items():
        new = _canonical(keys) if keys[0] == "model" and len(keys) > 1 else keys
        if keys[1:] in _WHOLE and leaf.value in (None, {}):
            continue
        twin = spelled.get(new)
        if twin is not None and twin.value != leaf.value:
            faults.append(Fault(leaf.place, f"{leaf.written} is given as {twin.written} too ({twin.place}); keep one"))
        spelled[new] = leaf
    return spelled, faults


def _canonical(keys: Keys) -> Keys:
    key, *rest = keys[1:]
    for alias, role in ALIASES.items():
        if key == alias or key.startswith(f"{alias}_"):
            key = role + key.removeprefix(alias)
    if key == "codex_trace_to_optimizer":
        key = "codex_trace_to_teacher"
    if rest:
        return ("model", key, *rest)
    role, _, setting = key.partition("_")
    if role in ROLES and setting in ("", "model", "backend"):
        return ("model", role, setting or "model")
    return ("model", key)

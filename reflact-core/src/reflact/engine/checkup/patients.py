"""Which models there are to look at: every different one once, whichever roles it plays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from reflact.config import Config, Role
from reflact.contracts import ChatModel, ExecAgent, RoleName
from reflact.errors import ReflactError

PATIENCE_S = 60.0
"""The longest a model is waited for, in seconds; a shorter `timeout_s` of its own holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Patient:
    """A model to look at, and the roles it plays; `fault` says why it could not even be built."""

    roles: tuple[RoleName, ...]
    role: Role
    model: ChatModel | ExecAgent | None = None
    fault: ReflactError | None = None

    @property
    def model_name(self) -> str:
        """The model's name, or its backend's where it has none."""
        return str(getattr(self.role.settings, "model", "") or self.role.backend)

    def __str__(self) -> str:
        return f"{', '.join(self.roles)} ({self.role.backend})"


def admit(roles: Mapping[RoleName, Role]) -> tuple[Patient, ...]:
    """Return the different models behind *roles*, built with little patience. Nothing is asked yet."""
    found: list[Patient] = []
    for name, role in roles.items():
        place = next((n for n, one in enumerate(found) if _same(one.role, role)), None)
        if place is None:
            found.append(_built(name, role))
        else:
            found[place] = replace(found[place], roles=(*found[place].roles, name))
    return tuple(found)


def _same(one: Role, other: Role) -> bool:
    alike = (one.backend, one.settings, one.said) == (other.backend, other.settings, other.said)
    return alike and (one.spec.kind == "chat" or (one.name == "student") == (other.name == "student"))


def _built(name: RoleName, role: Role) -> Patient:
    try:
        return Patient(roles=(name,), role=role, model=role.player(_impatient(role.settings)))
    except ReflactError as error:
        return Patient(roles=(name,), role=role, fault=error)


def _impatient(settings: Config) -> Config:
    """Return *settings* under which a server that does not answer is soon given up."""
    changed: dict[str, float] = {}
    if isinstance(timeout := getattr(settings, "timeout_s", None), int | float):
        changed["timeout_s"] = min(float(timeout), PATIENCE_S)
    if hasattr(settings, "max_retries"):
        changed["max_retries"] = 0
    return settings.model_copy(update=changed)

"""What the environment says of one role's Azure, before it says anything of all roles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

SETTINGS = ("endpoint", "api_version", "api_key", "auth_mode", "ad_scope", "managed_identity_client_id")
"""Azure's settings: keys begin with `azure_openai_`, variables with `AZURE_OPENAI_`."""


@dataclass(frozen=True, slots=True)
class Said:
    """One setting of a role, and the variable that holds it."""

    name: str
    value: str = field(repr=False)
    variable: str = field(compare=False)


@dataclass(frozen=True, slots=True)
class Own:
    """What the variables of one role say; equal when it is the same.

    `before` names the settings for which a variable counts though they are configured: that was for all roles.
    """

    said: tuple[Said, ...] = ()
    before: frozenset[str] = frozenset()
    role: str = field(default="", compare=False)

    def get(self, name: str) -> Said | None:
        """Return what is said of the setting *name*, such as `api_version`."""
        return next((one for one in self.said if one.name == name), None)

    def variables(self, name: str) -> tuple[str, ...]:
        """Return the variables of the setting *name*, the first that is set counts: the role's, then that of all."""
        return (*_forms(self.role, name), variable(name))


NOTHING = Own()


def variable(name: str) -> str:
    """Return the variable of the setting *name* for all roles."""
    return f"AZURE_OPENAI_{name.upper()}"


def said_of(role: str, common: frozenset[str], environ: Mapping[str, str]) -> Own:
    """Return what *environ* says of *role*; the settings *common* are configured for all roles.

    A judge is told what the teacher is.
    """
    role = "teacher" if role == "judge" else role
    said = []
    for name in SETTINGS:
        given = next((form for form in _forms(role, name) if environ.get(form, "").strip()), None)
        if given is not None:
            said.append(Said(name, environ[given].strip(), given))
    before = frozenset(one.name for one in said if f"azure_openai_{one.name}" in common)
    return Own(tuple(said), before, role)


def _forms(role: str, name: str) -> tuple[str, ...]:
    if not role:
        return ()
    part, setting = role.upper(), name.upper()
    return f"{part}_AZURE_OPENAI_{setting}", f"AZURE_OPENAI_{part}_{setting}"

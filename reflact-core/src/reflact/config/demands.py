"""What an env, as it is configured, asks of the models of a run, and whether the student can do it."""

from __future__ import annotations

from typing import get_args

from reflact.config.explain import Fault
from reflact.config.fit import fitting
from reflact.config.roles import Role
from reflact.config.schema import Config
from reflact.contracts import Ability, BackendSpec, EnvSpec
from reflact.plugins import Plugins
from reflact.types import Hosted

HOSTED: tuple[Hosted, ...] = get_args(Hosted)


def judged(spec: EnvSpec | None, config: Config | None) -> bool:
    """Return whether *spec* has a judge grade under *config*; a faulty one is refused anyway."""
    judge = spec.judge if spec is not None else False
    return (config is not None and judge(config)) if callable(judge) else judge


def needs(spec: EnvSpec, config: Config) -> frozenset[Ability]:
    """Return what a chat student must be able to do under *config*."""
    return spec.needs(config) if callable(spec.needs) else spec.needs


def unfit(spec: EnvSpec | None, config: Config | None, student: Role | None, plugins: Plugins) -> list[Fault]:
    """Return why the *student* cannot do what *spec* is configured for, if it cannot.

    Imports all backends when it lacks a tool that providers run, to name those that have it.
    """
    if spec is None or config is None or student is None:
        return []
    kind = student.spec.kind
    if spec.misfit is not None and (reason := spec.misfit(config, kind)):
        return [Fault("", reason)]
    wanted = needs(spec, config) if kind == "chat" else frozenset()
    return [fault for tool in HOSTED if tool in wanted and (fault := _lack(tool, spec, student, plugins)) is not None]


def _lack(tool: Hosted, spec: EnvSpec, student: Role, plugins: Plugins) -> Fault | None:
    """Return why the provider of *student* does not run *tool* itself, which *spec* needs; None when it does."""
    needed = f"env {spec.name!r} as configured needs a student whose provider has a {tool!r} of its own"
    if student.spec.hosted is not None:
        reason = student.spec.hosted(student.settings, tool)
        return Fault("", f"{needed}: {reason}") if reason else None
    have = fitting("student", spec, plugins, having=_hosts)
    return Fault("", f"model.student_backend: {needed}, and {student.backend!r} has none; use one of: {have}")


def _hosts(spec: BackendSpec) -> bool:
    return spec.hosted is not None

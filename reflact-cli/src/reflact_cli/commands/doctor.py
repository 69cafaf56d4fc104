"""`reflact doctor`."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import click
from reflact.config import Resolved
from reflact.config.access import access
from reflact.config.secret import public
from reflact.contracts import Access
from reflact.engine.checkup.examine import Checkup, check_up
from reflact.engine.checkup.patients import Patient, admit
from reflact.errors import BackendError, PluginError, ReflactError, RunError
from reflact.plugins import Plugins

from reflact_cli.arguments import ConfigCommand, Request, configured, request
from reflact_cli.installation import installation
from reflact_cli.nobody import NOBODY, Nobody
from reflact_cli.report.doctor import Chapter, doctor_json, doctor_lines
from reflact_cli.session import load_config, load_plugins

ROLE = re.compile(r"(?:model\.)?(teacher|optimizer|student|target|judge)(?=[._]|$)")
BOTH = frozenset({"model.backend", "backend", "model_backend"})
"""Keys that name the backends of both roles."""
TODAY = {"optimizer": "teacher", "target": "student"}


@click.command("doctor", cls=ConfigCommand)
@configured
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def command(words: tuple[str, ...], config_file: str | None, plugin_files: tuple[Path, ...], as_json: bool) -> None:
    """Look at what a run would need, before it is paid for.

    With CONFIG or KEY=VALUE every model is examined and asked a few small things: does it answer, does it keep to a
    JSON schema, can it call tools and see images, does its provider search where the env needs that; an agent is given
    a small job. Without an env only the roles that KEY=VALUE names are looked at. Without anything the installation is:
    Python, plugins, programs.

    Ends with 4 when a model cannot work, with 3 when a plugin cannot be loaded; warnings do not count.
    """
    asked = request(words, config_file)
    plugins = load_plugins(plugin_files)
    if asked.config or asked.overrides or asked.flags:
        chapters, code = models(load_config(complete(asked, plugins), plugins)), BackendError.exit_code
    else:
        chapters = [Chapter(title="installation", findings=tuple(installation(plugins)), about={})]
        code = PluginError.exit_code
    if as_json:
        click.echo(json.dumps(doctor_json(chapters), indent=2, ensure_ascii=False))
    else:
        for line in doctor_lines(chapters):
            click.echo(line)
    if not doctor_json(chapters)["good"]:
        click.get_current_context().exit(code)


def complete(asked: Request, plugins: Plugins) -> Request:
    """Return *asked*; where it names neither a file nor an env, with nobody in the place of what it leaves open."""
    keys = [*(one.partition("=")[0] for one in asked.overrides), *asked.flags]
    if asked.config or "env.name" in keys or "env" in asked.flags:
        return asked
    plugins.register(Nobody(), label="reflact doctor")
    named = {TODAY.get(found[1], found[1]) for key in keys if (found := ROLE.match(key))}
    both = not named or not BOTH.isdisjoint(keys)
    left_out = [] if both else [role for role in ("teacher", "student") if role not in named]
    nobody = (f"env.name={NOBODY}", *(f"model.{role}_backend={NOBODY}" for role in left_out))
    return replace(asked, overrides=(*nobody, *asked.overrides))


def models(resolved: Resolved) -> list[Chapter]:
    """Return a chapter for each different model of *resolved*."""
    patients = admit({name: role for name, role in resolved.roles.items() if role.backend != NOBODY})
    try:
        with tempfile.TemporaryDirectory(prefix=".reflact-doctor-", dir=Path.cwd()) as scratch:
            found = check_up(patients, needs=resolved.needs, thorough=True, scratch=Path(scratch))
    except PermissionError as error:
        raise RunError(f"{Path.cwd()} cannot be written to ({error.strerror}); go to a folder of your own") from None
    return [chapter(one, resolved.origins, os.environ) for one in found]


def chapter(found: Checkup, origins: Mapping[str, str], environ: Mapping[str, str]) -> Chapter:
    """Return what was found out about one model, under what it is."""
    patient = found.patient
    reached = _access(patient)
    about = {
        "roles": list(patient.roles),
        "backend": patient.role.backend,
        "model": patient.model_name,
        "endpoint": public(reached.endpoint),
        "endpoint_from": place(reached.endpoint_from, patient, origins),
        "path": str(getattr(patient.role.settings, "path", "") or ""),
        "key": place(reached.key, patient, origins),
    }
    if reached.key.startswith("$"):
        about["key"] = f"{reached.key} ({'set' if environ.get(reached.key[1:], '').strip() else 'not set'})"
    title = f"{', '.join(patient.roles)}: {patient.model_name} by {patient.role.backend}"
    return Chapter(title=title, findings=found.findings, about=about)


def place(named: str, patient: Patient, origins: Mapping[str, str]) -> str:
    """Return *named* for a person: a setting of *patient* as its key and where that was given, else as it is."""
    if named not in type(patient.role.settings).model_fields:
        return named
    key = f"model.{patient.role.name}.{named}"
    return f"{key} ({origins.get(key, 'default')})"


def _access(patient: Patient) -> Access:
    """Return how *patient* is reached; nothing where its backend cannot say, which is among the findings."""
    try:
        return access(patient.role)
    except ReflactError:
        return Access()

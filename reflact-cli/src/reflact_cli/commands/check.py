"""`reflact check`."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import click
from pydantic import ValidationError
from reflact.config import Config, SplitConfig, load
from reflact.contracts import EnvSpec
from reflact.errors import ConfigError
from reflact.kit.check import check_env
from reflact.plugins import Plugins

from reflact_cli.arguments import with_plugins
from reflact_cli.nobody import NOBODY, Nobody
from reflact_cli.session import load_plugins, override

FOUND = 1
N_SAMPLES = 24


@click.command("check")
@click.argument("env")
@click.argument("overrides", nargs=-1, metavar="[KEY=VALUE]...")
@click.option(
    "--config", "config_file", type=click.Path(path_type=Path), metavar="FILE", help="A config to check with."
)
@with_plugins
def command(env: str, overrides: tuple[str, ...], config_file: Path | None, plugin_files: tuple[Path, ...]) -> None:
    """Check ENV without a model: a right reply scores 1, a wrong or empty one 0; splits do not overlap; the student
    gets the skill and never the expected answer.

    Without --config or KEY=VALUE the env is given its own sample data, or its defaults where it has none.
    """
    plugins = load_plugins(plugin_files)
    spec = plugins.get("envs", env)
    with tempfile.TemporaryDirectory(prefix="reflact-check-") as folder:
        if config_file or overrides:
            config = configuration(spec, plugins, config_file, overrides)
        else:
            config = sampled(spec, Path(folder) / "sample")
        findings = check_env(spec.build(config), spec, workdir=Path(folder) / "work")
    for finding in findings:
        click.echo(f"{finding.level}: {finding.rule}: {finding.message}", err=finding.level == "error")
    errors = sum(finding.level == "error" for finding in findings)
    if errors:
        click.echo(f"{env}: {errors} of {len(findings)} findings are errors", err=True)
        click.get_current_context().exit(FOUND)
    click.echo(f"{env}: good" if not findings else f"{env}: good, with {len(findings)} warnings")


def configuration(spec: EnvSpec, plugins: Plugins, file: Path | None, overrides: tuple[str, ...]) -> Config:
    """Return the section `env` of *file* and *overrides* for *spec*, whatever the models are."""
    roles = () if file else unasked(spec, plugins)
    asked = (*roles, *overrides, override("env.name", spec.name))
    return load(file, overrides=asked, plugins=plugins).env


def unasked(spec: EnvSpec, plugins: Plugins) -> tuple[str, ...]:
    """Return overrides by which a check needs no model backend, not even an installed one."""
    plugins.register(Nobody("chat" if "chat" in spec.students else "exec"), label="reflact check")
    return (f"model.teacher_backend={NOBODY}", f"model.student_backend={NOBODY}")


def sampled(spec: EnvSpec, folder: Path) -> Config:
    """Return a configuration of *spec* over its own sample data, written to *folder*; its defaults without any."""
    settings: dict[str, Any] = {}
    if spec.sample is not None and issubclass(spec.config, SplitConfig):
        spec.sample(folder, N_SAMPLES, 7)
        settings = {"split_mode": "ratio", "split_ratio": "1:1:1", "data_path": str(folder)}
    try:
        return spec.config(**settings)
    except ValidationError as error:
        wanted = ", ".join(f"env.{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
        raise ConfigError(f"env {spec.name!r} needs settings ({wanted}); give env.KEY=VALUE or --config FILE") from None

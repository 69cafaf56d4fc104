"""`reflact new`."""

from __future__ import annotations

from pathlib import Path

import click
from reflact.plugins import Plugins

from reflact_cli.scaffold import scaffold
from reflact_cli.session import command_line


@click.group("new")
def command() -> None:
    """Start a benchmark of your own."""


@command.command("env")
@click.argument("name")
@click.option(
    "--dir",
    "folder",
    type=click.Path(path_type=Path),
    metavar="D",
    help="Where the package goes: a new or empty folder; ./reflact-env-NAME by default.",
)
def env(name: str, folder: Path | None) -> None:
    """Write a package with the env NAME that runs at once: data, grading, skill, config, test."""
    made = scaffold(name, folder, taken=Plugins().names("envs"))
    for file in made.files:
        click.echo(str(file))
    click.echo("")
    click.echo(f"try it:   {command_line('check', name, plugin_files=[made.module])}")
    click.echo(f"train:    {command_line('train', made.config, plugin_files=[made.module])}")
    click.echo(f"install:  pip install -e {made.folder}")

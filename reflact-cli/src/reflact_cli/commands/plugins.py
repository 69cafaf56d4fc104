"""`reflact plugins`."""

from __future__ import annotations

from pathlib import Path

import click
from reflact.plugins import NOUN

from reflact_cli.arguments import with_plugins
from reflact_cli.report.numbers import columns
from reflact_cli.session import load_plugins


@click.command("plugins")
@with_plugins
def command(plugin_files: tuple[Path, ...]) -> None:
    """List what is installed: kind, name, distribution, version.

    Only package metadata are read; a plugin that cannot be imported is listed all the same.
    """
    found = load_plugins(plugin_files).announced()
    rows = [(NOUN[one.slot], one.name, one.distribution, one.version) for one in found]
    for line in columns([("kind", "name", "distribution", "version"), *rows]):
        click.echo(line)

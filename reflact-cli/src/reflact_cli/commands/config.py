"""`reflact config`."""

from __future__ import annotations

from pathlib import Path

import click
import yaml
from reflact.config.reference import schema_json

from reflact_cli.arguments import ConfigCommand, configured, request
from reflact_cli.report.configuration import origin_rows, shown
from reflact_cli.report.numbers import columns
from reflact_cli.session import load_config, load_plugins


@click.command("config", cls=ConfigCommand)
@configured
@click.option("--origin", is_flag=True, help="Show where each value comes from.")
@click.option("--schema", is_flag=True, help="Print the JSON schema of a config file, for editors.")
def command(
    words: tuple[str, ...], config_file: str | None, plugin_files: tuple[Path, ...], origin: bool, schema: bool
) -> None:
    """Show the configuration that results from CONFIG and KEY=VALUE; secrets are hidden, and no model is called.

    The older spellings of `reflact train` work here too; what they mean today is told on stderr.
    """
    if schema:
        click.echo(schema_json())
        return
    resolved = load_config(request(words, config_file), load_plugins(plugin_files))
    for warning in resolved.warnings:
        click.echo(f"note: {warning}", err=True)
    if origin:
        for line in columns(origin_rows(resolved)):
            click.echo(line)
    else:
        click.echo(yaml.safe_dump(shown(resolved), sort_keys=False, allow_unicode=True), nl=False)

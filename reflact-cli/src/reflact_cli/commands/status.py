"""`reflact status`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from reflact_cli.report.status import status_lines
from reflact_cli.screen.printable import printable
from reflact_cli.status import status


@click.command("status")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def command(folder: Path, as_json: bool) -> None:
    """Show what the run in DIR has reached and spent, also while it is running. Nothing is changed."""
    found = status(folder)
    if as_json:
        click.echo(json.dumps(found, indent=2, ensure_ascii=False))
        return
    for line in status_lines(found):
        click.echo(printable(line))

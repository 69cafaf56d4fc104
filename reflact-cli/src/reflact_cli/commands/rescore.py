"""`reflact rescore`."""

from __future__ import annotations

from pathlib import Path

import click
from reflact.engine.rescore import FILE, rescore

from reflact_cli.arguments import with_plugins
from reflact_cli.report.rescoring import rescoring_lines
from reflact_cli.screen.printable import printable
from reflact_cli.session import load_plugins


@click.command("rescore")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.argument("overrides", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("--dry-run", is_flag=True, help="Only show it; write no rescore.json.")
@with_plugins
def command(folder: Path, overrides: tuple[str, ...], dry_run: bool, plugin_files: tuple[Path, ...]) -> None:
    """Grade all that the run, or the evaluation, in DIR has stored once more, with the scorer that is installed now.

    KEY=VALUE may set how it grades, such as env.scorer=numeric. No model is asked, and what is in DIR stays as it is:
    scores, decisions, skills. What would be different is written to rescore.json in DIR.
    """
    values = rescore(folder, load_plugins(plugin_files), overrides=overrides, dry_run=dry_run)
    for line in rescoring_lines(values):
        click.echo(printable(line))
    if not dry_run:
        click.echo(str(folder / FILE))

"""`reflact sample-data`."""

from __future__ import annotations

from pathlib import Path

import click
from reflact.errors import ConfigError, RunError

from reflact_cli.arguments import with_plugins
from reflact_cli.session import load_plugins


@click.command("sample-data")
@click.argument("env")
@click.option("--out", required=True, type=click.Path(path_type=Path), metavar="DIR", help="A new or empty folder.")
@click.option("--n", default=100, show_default=True, type=click.IntRange(min=1), help="How many items.")
@click.option("--seed", default=0, show_default=True, help="The same seed gives the same items.")
@with_plugins
def command(env: str, out: Path, n: int, seed: int, plugin_files: tuple[Path, ...]) -> None:
    """Write made-up items for ENV, in a form it reads."""
    spec = load_plugins(plugin_files).get("envs", env)
    if spec.sample is None:
        raise ConfigError(f"env {env!r} has no sample data")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise RunError(f"{out} is not empty; choose another --out, so that nothing is overwritten")
    spec.sample(out, n, seed)
    for file in sorted(path for path in out.rglob("*") if path.is_file()):
        click.echo(str(file))

"""`reflact data`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click
from reflact.data.manifest import write_split
from reflact.data.picking import drawn, listed, read_ids, read_sizes
from reflact.data.splits import fingerprint
from reflact.kit.check import disjoint, named, splits_of

from reflact_cli.arguments import with_plugins
from reflact_cli.commands.check import FOUND, configuration
from reflact_cli.screen.printable import printable
from reflact_cli.session import load_plugins
from reflact_cli.sources import data_of, empty, rows_of, source_of, told, write_rows

ITEMS = "items.jsonl"
MOST = 5

from_place = click.option(
    "--from", "place", type=click.Path(path_type=Path, exists=True), metavar="PATH", help="A local copy of the source."
)
of_source = click.option("--source", "source_name", metavar="NAME", help="Which source; the first by default.")


@click.group("data")
def command() -> None:
    """Show where an env's data come from, fetch them, make a split of them, and look at them."""


@command.command("get")
@click.argument("env")
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="A new or empty folder for the records.")
@of_source
@from_place
@with_plugins
def get(
    env: str, out: Path | None, source_name: str | None, place: Path | None, plugin_files: tuple[Path, ...]
) -> None:
    """Show where the data of ENV come from, their licence and size; with --out, fetch all records of one source.

    No data come with this software. What is fetched is yours to use on the terms of its licence.
    """
    spec = data_of(env, load_plugins(plugin_files))
    for line in told(spec):
        click.echo(printable(line))
    if out is None:
        return
    source = source_of(spec, source_name)
    empty(out)
    rows = rows_of(source, place)
    click.echo(f"{out / ITEMS}: {write_rows(out / ITEMS, rows)} records")


@command.command("materialize")
@click.argument("env")
@click.option("--out", required=True, type=click.Path(path_type=Path), metavar="DIR", help="A new or empty folder.")
@click.option("--sizes", metavar="A:B:C", help="How many items to draw for train, val and test, such as 400:200:1400.")
@click.option("--ids", type=click.Path(path_type=Path), metavar="DIR", help="train.txt, val.txt and test.txt: the ids.")
@click.option("--seed", default=42, show_default=True, help="For --sizes; the same seed draws the same items.")
@of_source
@from_place
@with_plugins
def materialize(
    env: str,
    out: Path,
    sizes: str | None,
    ids: Path | None,
    seed: int,
    source_name: str | None,
    place: Path | None,
    plugin_files: tuple[Path, ...],
) -> None:
    """Make a prepared split for ENV, to be named as env.split_dir: drawn at random, or by lists of ids."""
    if bool(sizes) == bool(ids):
        raise click.UsageError("say which items: --sizes A:B:C to draw them, or --ids DIR to list them")
    source = source_of(data_of(env, load_plugins(plugin_files)), source_name)
    empty(out)
    chosen = read_sizes(sizes) if sizes else None
    lists = read_ids(ids) if ids else None
    rows = rows_of(source, place)
    picked = drawn(rows, chosen, seed) if chosen else listed(rows, lists or {})
    counts = {split: len(items) for split, items in picked.items()}
    made_by = {"source_data_path": str(place or source.where), "split_mode": "split_dir", "counts": counts}
    write_split(out, picked, made_by)
    click.echo(f"{out}: {', '.join(f'{n} {split}' for split, n in counts.items())}; licence: {source.licence}")


@command.command("check")
@click.argument("env")
@click.argument("overrides", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("--config", "config_file", type=click.Path(path_type=Path), metavar="FILE", help="A config to look with.")
@with_plugins
def check(env: str, overrides: tuple[str, ...], config_file: Path | None, plugin_files: tuple[Path, ...]) -> None:
    """Read the data of ENV as a run would: how many items of which kinds each split has, and what is wrong."""
    plugins = load_plugins(plugin_files)
    spec = plugins.get("envs", env)
    config = configuration(spec, plugins, config_file, overrides) if config_file or overrides else spec.config()
    splits = splits_of(spec.build(config))
    facts_of = fingerprint(splits)
    for split, tasks in splits.items():
        facts, kinds = facts_of[split], Counter(task.kind for task in tasks).most_common(MOST)
        withheld = sum(not task.scorable for task in tasks)
        click.echo(printable(f"{split}: {facts['n']} items; of kind {', '.join(f'{kind} {n}' for kind, n in kinds)}"))
        if withheld:
            click.echo(f"  of {withheld} the answer is withheld: they can be done and handed in, not scored")
        click.echo(f"  sha256 {facts['sha256']}")
    findings = [*disjoint(splits), *named(splits)]
    for finding in findings:
        click.echo(printable(f"{finding.level}: {finding.rule}: {finding.message}"), err=finding.level == "error")
    if any(finding.level == "error" for finding in findings):
        click.get_current_context().exit(FOUND)

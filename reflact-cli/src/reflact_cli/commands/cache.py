"""`reflact cache`."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import click
from reflact.errors import ConfigError
from reflact.llm.replies import Replies
from reflact.llm.replies_file import default_file

from reflact_cli.report.numbers import columns, many, size

SIDES = ("", "-wal", "-shm")
"""What SQLite writes beside a file, and the file."""


@click.command("cache")
@click.option("--clear", is_flag=True, help="Remove replies: all, or those that the other options choose.")
@click.option("--model", metavar="NAME", help="With --clear, only the replies of this model.")
@click.option("--older-than", type=click.FloatRange(min=0), metavar="DAYS", help="With --clear, only older replies.")
@click.option("--path", "file", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="The cache file.")
def command(clear: bool, model: str | None, older_than: float | None, file: Path | None) -> None:
    """Show the replies that `cache.enabled` keeps from run to run, or clear them.

    FILE is `cache.path` of the configuration; by default it is the same as there. What is in use of it is what
    `cache.max_mb` bounds; the rest is room for new replies, which --clear gives back.
    """
    if not clear and (model or older_than is not None):
        raise click.UsageError("--model and --older-than choose what --clear removes; without it nothing is removed")
    chosen = file or default_file()
    if not chosen.is_file():
        click.echo(f"{chosen}: no replies are kept")
        return
    everything = clear and model is None and older_than is None
    replies = opened(chosen, anew=everything)
    try:
        if clear:
            gone = replies.clear(model=model, older_than_days=older_than or 0.0)
            click.echo(f"{chosen}: {many(gone, 'reply')} removed")
        else:
            for line in lines(replies):
                click.echo(line)
    except sqlite3.Error as error:
        raise ConfigError(f"{chosen}: {error}. Is a run using it? Try again when it has ended.") from error
    finally:
        replies.close()


def opened(file: Path, *, anew: bool) -> Replies:
    """Return the cache in *file*; *anew* makes a new one of a damaged one. Raises `ConfigError` when it cannot."""
    try:
        return Replies(file)
    except sqlite3.OperationalError as error:
        raise ConfigError(f"{file}: {error}. Is a run using it? Try again when it has ended.") from error
    except (sqlite3.DatabaseError, OSError) as error:
        if anew and ours(file):
            for side in SIDES:
                file.with_name(file.name + side).unlink(missing_ok=True)
            return Replies(file)
        raise ConfigError(
            f"{file} is not a reply cache, or is damaged ({error}). Name another with --path, or remove it."
        ) from error


def ours(file: Path) -> bool:
    """Return whether *file*, damaged as it is, began as an SQLite file: anything else is not removed."""
    with file.open("rb") as start:
        return start.read(15) == b"SQLite format 3"


def lines(replies: Replies) -> Iterator[str]:
    """Yield what *replies* holds, by model."""
    kept = replies.kept()
    total = sum(one.replies for one in kept)
    on_disk = sum(
        side.stat().st_size for name in SIDES if (side := replies.file.with_name(replies.file.name + name)).is_file()
    )
    yield f"{replies.file}: {many(total, 'reply')}, {size(replies.size())}B in use, {size(on_disk)}B on disk"
    rows = [("  backend", "model", "replies", "characters", "newest")]
    for one in kept:
        newest = datetime.fromtimestamp(one.newest).strftime("%Y-%m-%d %H:%M")
        rows.append((f"  {one.backend}", one.model, f"{one.replies:,}", size(one.characters), newest))
    if kept:
        yield from columns(rows)

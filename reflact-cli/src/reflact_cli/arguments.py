"""`CONFIG [KEY=VALUE]…`, and its older spellings: `--config FILE`, `--cfg-options k=v …`, flat flags."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TypeVar

import click
from reflact.config.legacy import FLAT, flag_keys

F = TypeVar("F", bound=Callable[..., object])
FLAGS = "reflact_cli.flags"
OVERRIDES = "--cfg-options"


@dataclass(frozen=True, slots=True)
class Request:
    """What the command line says about the configuration."""

    config: Path | None
    overrides: tuple[str, ...]
    flags: Mapping[str, str]


class ConfigCommand(click.Command):
    """A command that takes a configuration, in every spelling there ever was."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Sort the older spellings out, and leave the rest to click."""
        own = {name for param in self.get_params(ctx) for name in param.opts}
        rest, flags = sort_out(args, own)
        ctx.meta[FLAGS] = flags
        return super().parse_args(ctx, rest)


def sort_out(args: Sequence[str], own: Collection[str]) -> tuple[list[str], dict[str, str]]:
    """Return *args* without the older spellings, and the flat flags among them with their values.

    Options in *own* are left alone. Raises `click.NoSuchOption` for one nobody knows.
    """
    rest: list[str] = []
    flags: dict[str, str] = {}
    left = list(args)
    while left:
        word = left.pop(0)
        name, equals, value = word.partition("=")
        if word == "--":
            return [*rest, word, *left], flags
        if name == OVERRIDES:
            if equals:
                rest.append(value)
            while left and not left[0].startswith("--"):
                rest.append(left.pop(0))
        elif not name.startswith("--") or name in own:
            rest.append(word)
        elif flag_keys(name) is None:
            known = [*own, *(f"--{flag}" for flag in FLAT)]
            raise click.NoSuchOption(name, possibilities=get_close_matches(name, known))
        elif equals or (left and not left[0].startswith("--")):
            flags[name.removeprefix("--")] = value if equals else left.pop(0)
        else:
            raise click.UsageError(f"{name} needs a value, such as {name}=true")
    return rest, flags


def configured(command: F) -> F:
    """Add `CONFIG [KEY=VALUE]…`, `--config` and `--plugin` to *command*."""
    command = click.argument("words", nargs=-1, metavar="CONFIG [KEY=VALUE]...")(command)
    command = click.option("--config", "config_file", metavar="FILE", help="CONFIG, as an option.")(command)
    return with_plugins(command)


def with_plugins(command: F) -> F:
    """Add `--plugin` to *command*."""
    return click.option(
        "--plugin",
        "plugin_files",
        multiple=True,
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="A Python file to use as a plugin; may be given several times.",
    )(command)


def request(words: Sequence[str], config_file: str | None) -> Request:
    """Return what *words* and `--config` ask for, with the flat flags of the command that is running."""
    files = [word for word in words if "=" not in word or Path(word).is_file()]
    named = [*([config_file] if config_file else []), *files]
    if len(named) > 1:
        raise click.UsageError(
            f"one config file, not {len(named)}: {', '.join(named)}. Overrides are section.key=value."
        )
    return Request(
        config=Path(named[0]) if named else None,
        overrides=tuple(word for word in words if word not in files),
        flags=click.get_current_context().meta.get(FLAGS, {}),
    )

"""The command group. It knows the commands by name and help only, so that `reflact --help` imports none of them."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import click
from reflact.errors import ReflactError, unknown

from reflact_cli.screen.printable import printable

COMMANDS = {
    "train": ("train", "Train a skill document, or go on with a run."),
    "eval": ("evaluate", "Score one skill on one split; nothing is trained."),
    "resume": ("resume", "Go on with a run that was stopped."),
    "status": ("status", "Show what a run has reached and spent."),
    "rescore": ("rescore", "Grade again what a run or an evaluation has stored, without a model."),
    "cache": ("cache", "Show or clear the replies that are kept from run to run."),
    "config": ("config", "Show the configuration that results, and where each value comes from."),
    "plugins": ("plugins", "List the installed envs, backends, update modes, prompt packs and observers."),
    "doctor": ("doctor", "Look at models and installation before a run is paid for."),
    "check": ("check", "Check an env without a model: gold answers, splits, prompts."),
    "data": ("data", "Show where an env's data come from, fetch them, make a split of them, look at them."),
    "sample-data": ("sample_data", "Write made-up data for an env."),
    "new": ("new", "Start a benchmark of your own."),
}
"""name -> (module in `reflact_cli.commands`, one line of help); the module's `command` is the command."""

EPILOG = "Exit codes: 2 configuration or data, 3 plugin, 4 model backend, 5 run, 6 budget, 130 stopped."
INTERRUPTED = 130


class LazyGroup(click.Group):
    """A group that imports a command when it is called, not when it is listed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names, in the order a person meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command *cmd_name*."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"reflact_cli.commands.{COMMANDS[cmd_name][0]}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that *args* begin with, or name the nearest one."""
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            raise click.UsageError(unknown("command", args[0], COMMANDS), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(cls=LazyGroup, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="reflact-cli", prog_name="reflact")
def group() -> None:
    """ReflACT trains a skill document instead of model weights.

    A student model does tasks with the skill, a teacher model proposes edits, and a held-out gate keeps
    those that help.
    """


def main(args: Sequence[str] | None = None) -> int:
    """Run `reflact` with *args* (`None`: the process's own) and return its exit code.

    What the user can mend goes to stderr without a traceback; anything else is a bug and keeps it.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        with telling_warnings():
            code = group.main(args, prog_name="reflact", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        click.echo("stopped", err=True)
        return INTERRUPTED
    except ReflactError as error:
        for text in (str(error), *getattr(error, "__notes__", ())):
            click.echo(printable(text), err=True)
        return error.exit_code


@contextmanager
def telling_warnings() -> Iterator[None]:
    """Tell a `RuntimeWarning`, which is for the user, as a line on stderr; others are for developers, and stay so."""
    with warnings.catch_warnings():
        usual = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
            if issubclass(category, RuntimeWarning):
                click.echo(printable(f"warning: {message}"), err=True)
            else:
                usual(message, category, *where, **more)

        warnings.showwarning = show
        yield


if __name__ == "__main__":
    sys.exit(main())

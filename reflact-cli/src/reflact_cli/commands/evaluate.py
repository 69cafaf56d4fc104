"""`reflact eval`."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Literal

import click
from reflact.data.splits import split_name
from reflact.engine.checkup.preflight import UnfitError
from reflact.engine.evaluate import evaluate
from reflact.errors import BudgetError, ConfigError
from reflact.types import Split

from reflact_cli.arguments import ConfigCommand, configured, request
from reflact_cli.report.evaluation import evaluation_lines
from reflact_cli.run import NOT_BEGUN
from reflact_cli.screen.screen import opened
from reflact_cli.screen.stop import stoppable
from reflact_cli.session import load_config, load_plugins, model_name, new_folder, override, tidied

STOPPED = "stopped; what is scored is kept. The same command with the same --out goes on."


@click.command("eval", cls=ConfigCommand)
@configured
@click.option("--skill", type=click.Path(path_type=Path), metavar="FILE", help="The skill to score.")
@click.option("--no-skill", is_flag=True, help="Score the student without a skill.")
@click.option("--split", default="test", show_default=True, metavar="NAME", help="train, val, test or all.")
@click.option("--prompt", metavar="NAME", help="The student's prompt, in an env that has several (env.prompt).")
@click.option(
    "--predictions",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Also write the answers as the benchmark takes them, of items without a known answer too.",
)
@click.option("--no-preflight", is_flag=True, help="Do not ask the models something small first.")
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="The folder; a new one by default.")
def command(
    words: tuple[str, ...],
    config_file: str | None,
    plugin_files: tuple[Path, ...],
    skill: Path | None,
    no_skill: bool,
    split: str,
    prompt: str | None,
    predictions: Path | None,
    no_preflight: bool,
    out: Path | None,
) -> None:
    """Score one skill on one split; nothing is trained.

    CONFIG and the older spellings are those of `reflact train`. Older names of splits work: selection and valid_seen
    for val, valid_unseen for test. Results in DIR of the same skill, tasks and student are used again. The student, and
    a judge where there is one, is asked something small first.

    Items whose answer the benchmark withholds are refused, unless --predictions asks for a file to hand in.
    """
    if no_skill == bool(skill):
        raise click.UsageError("name the skill: --skill FILE, or --no-skill to score the student without one")
    chosen = which_split(split)
    plugins = load_plugins(plugin_files)
    asked = request(words, config_file)
    if prompt:
        asked = replace(asked, overrides=(*asked.overrides, override("env.prompt", prompt)))
    resolved = load_config(asked, plugins)
    folder = out or new_folder("eval", resolved.env_spec.name, model_name(resolved, "student"), datetime.now())
    with tidied(folder), opened() as screen, stoppable(lambda: STOPPED):
        try:
            values = evaluate(
                resolved,
                plugins,
                folder,
                skill=skill,
                split=chosen,
                predictions=predictions,
                progress=screen,
                preflight=not no_preflight,
            )
        except BudgetError as error:
            error.add_note(f"What is scored is kept. Go on: the same command, --out {folder}, a larger {error.key}.")
            raise
        except UnfitError as error:
            error.add_note(f"The evaluation {NOT_BEGUN}")
            raise
        for line in evaluation_lines(values, folder):
            screen.line(line)


def which_split(name: str) -> Split | Literal["all"]:
    """Return the split that *name* means. Raises `ConfigError` that lists the names there are."""
    if name == "all":
        return "all"
    try:
        return split_name(name)
    except ConfigError as error:
        raise ConfigError(
            f"--split: {error} Valid are train, val, test and all, and the older selection, valid_seen, valid_unseen."
        ) from None

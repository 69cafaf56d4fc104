"""`reflact train`."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import click
from reflact.config import Resolved
from reflact.errors import ConfigError, RunError

from reflact_cli.arguments import ConfigCommand, Request, configured, request
from reflact_cli.run import go
from reflact_cli.session import load_config, load_plugins, model_name, new_folder, override

MADE_BY_A_RUN = ("best_skill.md", "config.json", "history.json", "summary.json", "skills", "steps")


@click.command("train", cls=ConfigCommand)
@configured
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="The run's folder; a new one by default.")
@click.option("--no-observer", multiple=True, metavar="NAME", help="An observer to leave out, such as console.")
@click.option("--no-preflight", is_flag=True, help="Do not ask the models something small first.")
@click.option(
    "--fork",
    type=click.Path(path_type=Path),
    metavar="OLD_RUN",
    help="Start a new run from the best skill of OLD_RUN; its configuration is used when CONFIG is left out.",
)
def command(
    words: tuple[str, ...],
    config_file: str | None,
    plugin_files: tuple[Path, ...],
    out: Path | None,
    no_observer: tuple[str, ...],
    no_preflight: bool,
    fork: Path | None,
) -> None:
    """Train a skill document.

    CONFIG is a YAML file; KEY=VALUE overrides any key of it, such as train.batch_size=20. In a folder that holds an
    unfinished run of the same configuration, the run goes on. Every model is asked something small first.

    Older spellings work: --config FILE, --cfg-options KEY=VALUE ..., and flat flags such as --backend or --batch_size.
    """
    asked = request(words, config_file)
    if fork:
        asked = forked(asked, fork)
    plugins = load_plugins(plugin_files)
    resolved = load_config(asked, plugins)
    folder = out or configured_folder(resolved, fork)
    refuse_strangers(folder, fork)
    go(
        resolved,
        plugins,
        folder,
        no_observer=frozenset(no_observer),
        plugin_files=plugin_files,
        preflight=not no_preflight,
    )


def configured_folder(resolved: Resolved, fork: Path | None) -> Path:
    """Return `env.out_root`, or a new folder where it is not set or belongs to the run that is forked."""
    named = resolved.run.env.out_root
    if named and not (fork and Path(named).resolve() == fork.resolve()):
        return Path(named)
    return new_folder("reflact", resolved.env_spec.name, model_name(resolved, "teacher"), datetime.now())


def forked(asked: Request, old: Path) -> Request:
    """Return *asked* with the best skill of the run in *old* to start from. Raises `ConfigError` without one."""
    skill = old / "best_skill.md"
    if not skill.is_file():
        raise ConfigError(f"--fork {old}: no best_skill.md there; a run has one as soon as its baseline is scored")
    return replace(
        asked,
        config=asked.config or old / "run_config.json",
        overrides=(*asked.overrides, override("env.skill_init", skill.resolve())),
    )


def refuse_strangers(folder: Path, fork: Path | None) -> None:
    """Raise `RunError` for a *folder* whose files a run would overwrite although no run has made them."""
    if fork and folder.resolve() == fork.resolve():
        raise RunError(f"--fork starts a new run, and {folder} is the old one; give another --out")
    there = [name for name in MADE_BY_A_RUN if (folder / name).exists()]
    if there and not (folder / "run_manifest.json").exists():
        raise RunError(f"{folder} holds {', '.join(there)} but no run; choose another --out, so that nothing is lost")

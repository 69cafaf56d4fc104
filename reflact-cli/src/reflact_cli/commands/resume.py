"""`reflact resume`."""

from __future__ import annotations

from pathlib import Path

import click
from reflact.engine.resume import reload, require_secrets

from reflact_cli.arguments import with_plugins
from reflact_cli.run import go
from reflact_cli.session import load_plugins


@click.command("resume")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.argument("overrides", nargs=-1, metavar="[KEY=VALUE]...")
@with_plugins
@click.option("--no-observer", multiple=True, metavar="NAME", help="An observer to leave out, such as console.")
@click.option("--no-preflight", is_flag=True, help="Do not ask the models something small first.")
def command(
    folder: Path,
    overrides: tuple[str, ...],
    plugin_files: tuple[Path, ...],
    no_observer: tuple[str, ...],
    no_preflight: bool,
) -> None:
    """Go on with the run in DIR, under the configuration it was begun with.

    KEY=VALUE may change how the run is carried out (env.workers, an endpoint, a timeout, a key), not what it computes:
    the run is refused with the differences when its configuration, data or prompts are no longer the same.
    """
    plugins = load_plugins(plugin_files)
    resolved = reload(folder, plugins, overrides=overrides)
    require_secrets(resolved)
    go(
        resolved,
        plugins,
        folder,
        no_observer=frozenset(no_observer),
        plugin_files=plugin_files,
        preflight=not no_preflight,
    )

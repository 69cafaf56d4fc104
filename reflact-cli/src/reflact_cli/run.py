"""Train with a screen to look at and a way to stop; shared by `train` and `resume`."""

from __future__ import annotations

from pathlib import Path

from reflact.config import Resolved
from reflact.contracts import RunInfo
from reflact.engine.checkup.preflight import UnfitError
from reflact.engine.train import train
from reflact.errors import BudgetError, ReflactError
from reflact.hookspecs import hookimpl
from reflact.plugins import Plugins

from reflact_cli.console import Console
from reflact_cli.screen.screen import opened
from reflact_cli.screen.stop import stoppable
from reflact_cli.session import command_line, tidied

CONSOLE = "console"
PER_PROCESS = "budget.minutes"
"""The bound that does not add up over processes: a run that it stops can just go on."""
NOT_BEGUN = "was not begun. `reflact doctor` looks closer; --no-preflight begins without asking the models first."


class Begun:
    """Notices that a run has begun: from then on there is something to go on with, by the command *how*."""

    def __init__(self, how: str) -> None:
        self._how = how
        self.begun = False

    @hookimpl
    def reflact_run_started(self, run: RunInfo) -> None:
        """Take note."""
        self.begun = True

    def stopped(self) -> str:
        """Return what to say to a user who stops the run now."""
        if not self.begun:
            return "stopped before the run began"
        return f"stopped; nothing is lost. Go on with: {self._how}"

    def failed(self, error: ReflactError) -> str:
        """Return what to add to *error*, which ends a run that has begun."""
        if isinstance(error, BudgetError) and error.key != PER_PROCESS:
            return f"What is done is kept. Go on under a larger budget: {self._how} {error.key}=MORE"
        return f"What is done is kept. Go on with: {self._how}"


def go(
    resolved: Resolved,
    plugins: Plugins,
    out: Path,
    *,
    no_observer: frozenset[str] = frozenset(),
    plugin_files: tuple[Path, ...] = (),
    preflight: bool = True,
) -> None:
    """Train in *out* and tell about it; an error that stops the run says how to go on, or what can be done before."""
    begun = Begun(command_line("resume", out, plugin_files=plugin_files))
    plugins.register(begun, label="reflact-cli")
    with tidied(out), opened() as screen, stoppable(begun.stopped):
        if CONSOLE not in no_observer:
            plugins.register(Console(screen, plugin_files), label="reflact-cli console")
        installed = {CONSOLE} & set(plugins.names("observers"))
        observers = plugins.observers(disabled=no_observer | installed)
        try:
            train(resolved, plugins, out, observers=observers, progress=screen, preflight=preflight)
        except ReflactError as error:
            if begun.begun or isinstance(error, BudgetError):
                error.add_note(begun.failed(error))
            elif isinstance(error, UnfitError):
                error.add_note(f"The run {NOT_BEGUN}")
            raise

"""The screen that is a terminal: lines scroll by, and one bar below them shows the stage that is going on."""

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
from rich.text import Text

from reflact_cli.report.numbers import duration
from reflact_cli.screen.printable import printable

PAUSES = {"reflect": "merge, rank, update", "compare": "slow update, meta skill"}
"""What the teacher does, uncounted, after a stage that is counted."""

SETTLED = 2.0
"""Seconds after which a rate says something."""


class Pace(ProgressColumn):
    """How many items are done, how many a minute, and how long it took and will take."""

    def render(self, task: Task) -> Text:
        """Return the pace of *task*; of one that is not counted, the time it took."""
        elapsed = task.elapsed or 0.0
        if task.total is None:
            return Text(duration(elapsed))
        text = f"{task.completed:.0f}/{task.total:.0f}  {duration(elapsed)}"
        if task.completed and elapsed > SETTLED:
            rate = task.completed / elapsed
            text += f"  {rate * 60:.0f}/min, {duration((task.total - task.completed) / rate)} left"
        return Text(text)


class Live:
    """Draws on *console*; lines and the bar never get in each other's way."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(highlight=False)
        self._bars = Progress(
            TextColumn("  {task.description}"),
            BarColumn(bar_width=30),
            Pace(),
            console=self._console,
            transient=True,
            refresh_per_second=4,
        )
        self._bars.start()

    def begin(self, stage: str, total: int) -> None:
        """Show a bar for *stage*."""
        self._show(stage, total)

    def advance(self) -> None:
        """Move the bar."""
        for task in self._bars.tasks:
            self._bars.advance(task.id)

    def end(self) -> None:
        """Take the bar away; what follows uncounted gets one that only moves."""
        self._show("".join(PAUSES.get(task.description, "") for task in self._bars.tasks), None)

    def line(self, text: str, style: str = "") -> None:
        """Write *text* above the bar."""
        self._console.print(Text(printable(text), style=style), soft_wrap=True)

    def close(self) -> None:
        """Leave the terminal as it was found."""
        self._bars.stop()

    def _show(self, name: str, total: int | None) -> None:
        for number in self._bars.task_ids:
            self._bars.remove_task(number)
        if name:
            self._bars.add_task(name, total=total)
        self._bars.refresh()

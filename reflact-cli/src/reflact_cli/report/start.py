"""What a run is about to do, in a few lines."""

from collections.abc import Iterator

from reflact.contracts import RunInfo

from reflact_cli.report.numbers import many


def start_lines(run: RunInfo) -> Iterator[str]:
    """Yield the lines that introduce *run*, without its notes."""
    yield f"reflact: training a skill for {run.env} in {run.out_root}"
    yield "  " + " · ".join(_roles(run))
    sizes = " / ".join(f"{run.sizes.get(split, 0)} {name}" for split, name in _SPLITS.items())
    yield f"  {sizes} items · {many(run.epochs, 'epoch')}, {many(run.total_steps, 'step')}"
    if run.resumed_from is not None:
        yield f"  goes on after step {run.resumed_from} of {run.total_steps}"


_SPLITS = {"train": "training", "val": "selection", "test": "test"}


def _roles(run: RunInfo) -> Iterator[str]:
    for role in ("teacher", "student", "judge"):
        backend = run.config.get(f"{role}_backend")
        if backend:
            yield f"{role} {run.config.get(f'{role}_model') or ''} ({backend})".replace("  ", " ")

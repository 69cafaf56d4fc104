"""The state of a run in a few lines."""

from collections.abc import Iterator, Mapping
from typing import Any

from reflact_cli.report.cost import cost_lines
from reflact_cli.report.numbers import many, score


def status_lines(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield what `reflact_cli.status.status` *found*."""
    where = f"step {found['step']} of {found['total_steps']}, epoch {found['epoch']} of {found['epochs']}"
    yield f"{found['run']}: {found['env']}, {found['phase']}; {where}"
    if found["best_score"] is None:
        yield "  the baseline is not scored yet"
    else:
        scores = [score(found[f"{which}_score"] or 0.0) for which in ("baseline", "current", "best")]
        when = f" (step {found['best_step']})" if found["best_step"] else ""
        yield f"  selection: baseline {scores[0]}, current {scores[1]}, best {scores[2]}{when}"
        yield f"  {found['accepted']} accepted, {found['rejected']} rejected, {found['skipped']} skipped"
    if found["under_way"]:
        yield f"  under way: {found['under_way']['folder']}, {many(found['under_way']['results'], 'result')}"
    if found["last_error"]:
        yield f"  last trouble: {found['last_error']}"
    yield ""
    yield from cost_lines(found["spent"], None)
    yield ""
    yield f"next: {found['next']}"

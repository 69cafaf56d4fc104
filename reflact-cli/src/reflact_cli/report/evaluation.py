"""The result of `reflact eval`."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from reflact_cli.report.cost import cost_lines
from reflact_cli.report.numbers import counted, ended, percent, score, table


def evaluation_lines(values: Mapping[str, Any], out: Path) -> Iterator[str]:
    """Yield what `eval_summary.json` in *out* holds: the score with its interval, by kind, and where it lies."""
    found = {"right": values["right"], "n": values["n_items"], "interval_95": values["interval_95"]}
    skill = values["skill"] or "no skill"
    yield f"{values['split']}   {counted(found)}   soft {score(values['soft'])}   {skill}"
    if values["n_errors"]:
        yield f"  {values['n_errors']} could not be run and are not counted"
    if values["endings"]:
        yield f"  without a whole answer, and scored: {ended(values['endings'])}"
    kinds = {kind: one for kind, one in values["by_kind"].items() if kind != "overall"}
    if len(kinds) > 1:
        yield from table(_rows(kinds))
    for name, group in values["by_group"].items():
        yield f"  by {name.replace('_', ' ')}:"
        yield from table(_rows(group))
    yield from (f"  note: {note}" for note in values["notes"])
    yield from cost_lines(values["spent"], None)
    yield f"  {out / 'eval_summary.json'}"


def _rows(groups: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    return [(name, percent(one["hard_acc"]), f"{one['total']} items") for name, one in groups.items()]

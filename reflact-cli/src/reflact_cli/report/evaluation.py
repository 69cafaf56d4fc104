"""The result of `reflact eval`."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from reflact_cli.report.cost import cost_lines
from reflact_cli.report.numbers import counted, ended, many, percent, score, table


def evaluation_lines(values: Mapping[str, Any], out: Path) -> Iterator[str]:
    """Yield what `eval_summary.json` in *out* holds: the score with its interval, by kind, and where it lies."""
    yield f"{values['split']}   {_score(values)}   {values['skill'] or 'no skill'}"
    if values["n_ungraded"]:
        yield f"  {many(values['n_ungraded'], 'item')} cannot be scored, since the answer is withheld"
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
    handed_in = values["predictions"]
    if handed_in:
        empty = f", {handed_in['empty']} of them empty" if handed_in["empty"] else ""
        yield f"  {many(handed_in['n'], 'prediction')}{empty}: {handed_in['file']}"
    yield from (f"  note: {note}" for note in values["notes"])
    yield from cost_lines(values["spent"], None)
    yield f"  {out / 'eval_summary.json'}"


def _score(values: Mapping[str, Any]) -> str:
    if not values["n_items"]:
        return "nothing could be scored"
    found = {"right": values["right"], "n": values["n_items"], "interval_95": values["interval_95"]}
    return f"{counted(found)}   soft {score(values['soft'])}"


def _rows(groups: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    return [(name, percent(one["hard_acc"]), f"{one['total']} items") for name, one in groups.items()]

"""The end of a run as a person is glad to read it: before and after, what was learnt, what it cost, what to do next."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from reflact.contracts import Summary
from reflact.store.files import read

from reflact_cli.epochs import accepted
from reflact_cli.report.advice import reasons
from reflact_cli.report.cost import cost_lines
from reflact_cli.report.learnt import learnt_lines
from reflact_cli.report.numbers import counted, ended, many, percent, points, score, table
from reflact_cli.scores import baseline_score
from reflact_cli.session import command_line


def final_lines(summary: Summary, plugin_files: Sequence[Path] = ()) -> Iterator[str]:
    """Yield the report of the finished run *summary*, whose folder must still be there."""
    values, out = summary.values, summary.out_root
    first, ends = baseline_score(out), accepted(out)
    yield from result_lines(values, first if first is not None else values["baseline_selection_hard"])
    if values["total_accepts"] or ends:
        yield from learnt_lines(values, ends, read(out / "best_skill.md"))
    else:
        yield ""
        yield f"Nothing was accepted in {many(values['total_steps'], 'step')}: the skill is what it was. Most likely:"
        yield from (f"  - {reason}" for reason in reasons(values, _history(out)))
    yield ""
    yield from cost_lines(values["spent"], values["wall_seconds_of_last_process"])
    yield from _files(out, values)
    yield from _next(out, values, plugin_files)


def result_lines(values: Mapping[str, Any], first: float) -> Iterator[str]:
    """Yield before and after: on the test split, on the selection split, and by kind where there is more than one.

    *first* is the selection score of the first skill, in the metric of the gate.
    """
    n = values["selection_n"] // values["config"].get("gate_repeats", 1)
    best = values["best_selection_hard"]
    test = values.get("test")
    if test:
        delta = points(values["test_delta_hard"])
        yield f"held-out test   {counted(test['baseline'])}  ->  {counted(test['best'])}   {delta}"
        flips = test["flips"]
        same = f"{flips['unchanged']} as before"
        yield f"                {flips['improved']} improved, {flips['regressed']} got worse, {same}{_unscored(test)}"
        if test["best"].get("endings"):
            yield f"                without a whole answer, and scored: {ended(test['best']['endings'])}"
    else:
        yield "held-out test   not measured (evaluation.eval_test is false)"
    where = f", best after step {values['best_step']}" if values["best_step"] else ""
    yield f"selection       {score(first)} -> {score(best)} on {many(n, 'item')}{where}"
    if test and len(test["by_kind"]["best"]) > 2:
        yield ""
        yield from _kinds(test["by_kind"])


def _kinds(by_kind: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    rows = [("by kind", "before", "after", "change", "items")]
    for kind, after in by_kind["best"].items():
        before = by_kind["baseline"].get(kind)
        if kind == "overall":
            continue
        old = before["hard_acc"] if before else None
        change = points(after["hard_acc"] - old) if old is not None else ""
        shown = percent(old) if old is not None else "–"
        rows.append((kind, shown, percent(after["hard_acc"]), change, str(after["total"])))
    yield from table(rows, indent="")


def _unscored(test: Mapping[str, Any]) -> str:
    errors = test["baseline"]["errors"] + test["best"]["errors"]
    return f"; {errors} could not be run and are not counted" if errors else ""


def _files(out: Path, values: Mapping[str, Any]) -> Iterator[str]:
    yield ""
    yield "files"
    yield f"  {out / 'best_skill.md'}   the skill, {many(values['skill_chars'], 'character')}"
    yield f"  {out / 'steps'}   every step: rollouts, proposals, edits and what became of them"
    yield f"  {out / 'summary.json'}, {out / 'history.json'}   this report and the steps as data"


def _next(out: Path, values: Mapping[str, Any], plugin_files: Sequence[Path]) -> Iterator[str]:
    config, skill = out / "run_config.json", out / "best_skill.md"
    yield ""
    yield "next"
    if values["best_origin"] != "initial_skill":
        yield f"  use it            give {skill} to the student as its system prompt, or copy it to a skills folder"
    again = command_line("eval", config, "--skill", skill, "--split", "test", plugin_files=plugin_files)
    yield f"  score it again    {again}"
    yield f"  train on from it  {command_line('train', '--fork', out, plugin_files=plugin_files)}"


def _history(out: Path) -> list[dict[str, Any]]:
    return list(json.loads(read(out / "history.json")))

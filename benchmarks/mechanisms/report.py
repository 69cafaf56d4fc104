"""From outcomes to figures: paired differences over seeds with their interval, and the tables of the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf, sqrt
from statistics import fmean, stdev
from typing import Any

from benchmarks.mechanisms.conditions import PAIRS, SETTINGS, SWEEPS, Pair
from benchmarks.mechanisms.trial import Outcome

T_95 = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
    *(2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
)
"""The 97.5 % quantile of Student's t for 1 to 30 degrees of freedom; the last is used beyond, and is a little wide."""

Outcomes = Mapping[tuple[str, str], Sequence[Outcome]]
"""The runs of each setting and variant, in the order of their seeds."""
Figures = Mapping[str, Any]
HEAD = (
    "| mechanism | default | true score with / without | difference (95 % interval) | difference as measured "
    "| student calls with / without | teacher calls with / without | found |\n|---|---|---|---|---|---|---|---|"
)
SWEPT = (
    "| setting | mechanism | what is varied, its values and the difference in true score (95 % interval) |\n"
    "|---|---|---|"
)


def interval(differences: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % interval of the mean of paired *differences* by Student's t; infinite for a single pair."""
    n = len(differences)
    if n < 2:
        return -inf, inf
    half = T_95[min(n - 2, len(T_95) - 1)] * stdev(differences) / sqrt(n)
    return fmean(differences) - half, fmean(differences) + half


def compared(where: str, pair: Pair, outcomes: Outcomes) -> dict[str, Any]:
    """Return what *pair* shows in a setting: true and measured scores, paired differences, the calls of both sides."""
    having, lacking = outcomes[where, pair.having], outcomes[where, pair.lacking]
    both = list(zip(having, lacking, strict=True))
    true = [one.expected - other.expected for one, other in both]
    measured = [one.measured - other.measured for one, other in both]
    low, high = interval(true)
    return {
        "mechanism": pair.title,
        "having": pair.having,
        "lacking": pair.lacking,
        "default": pair.default,
        "seeds": len(both),
        "expected_with": fmean(one.expected for one in having),
        "expected_without": fmean(one.expected for one in lacking),
        "difference": fmean(true),
        "interval_95": [low, high],
        "measured_difference": fmean(measured),
        "measured_interval_95": list(interval(measured)),
        "seeds_that_differ": sum(one != 0.0 for one in true),
        "selection_above_true_with": fmean(one.selection - one.expected for one in having),
        "calls_with": _calls(having),
        "calls_without": _calls(lacking),
        "found": "helps" if low > 0 else "hurts" if high < 0 else "no difference shown",
    }


def _calls(outcomes: Sequence[Outcome]) -> dict[str, float]:
    return {
        "student": fmean(one.student_calls for one in outcomes),
        "teacher": fmean(one.teacher_calls for one in outcomes),
    }


def page(found: Mapping[str, Mapping[str, Figures]], swept: Mapping[str, Sequence[Figures]]) -> str:
    """Return the tables, one of each world and one of the sweeps; scores and differences in points of 100."""
    parts = [
        f"### {SETTINGS[where].title}\n\n" + "\n".join([HEAD, *(_row(them[name]) for name in PAIRS if name in them)])
        for where, them in found.items()
    ]
    if swept:
        parts.append("### Where some of them pay\n\n" + "\n".join([SWEPT, *map(_line, swept.items())]))
    return "\n\n".join(["", *parts]).removeprefix("\n") + "\n\n"


def _line(one: tuple[str, Sequence[Figures]]) -> str:
    name, points = one
    sweep = SWEEPS[name]
    said = [
        f"{value:g}: {_signed(point['difference'], point['interval_95'])}"
        for value, point in zip(sweep.values, points, strict=True)
    ]
    values = "<br>".join([f"`{sweep.varied}`, {sweep.title}:", *said])
    return f"| {SETTINGS[sweep.setting].title} | {PAIRS[sweep.pair].title} | {values} |"


def _row(one: Figures) -> str:
    calls, other = one["calls_with"], one["calls_without"]
    return (
        f"| {one['mechanism']} | {one['default']} | {_points(one['expected_with'])} / "
        f"{_points(one['expected_without'])} | {_signed(one['difference'], one['interval_95'])} | "
        f"{_signed(one['measured_difference'], one['measured_interval_95'])} | "
        f"{calls['student']:.0f} / {other['student']:.0f} | {calls['teacher']:.0f} / {other['teacher']:.0f} | "
        f"{one['found']} |"
    )


def _points(share: float) -> str:
    return f"{100 * share:.1f}"


def _signed(share: float, ends: Sequence[float]) -> str:
    return f"{100 * share:+.1f} ({100 * ends[0]:+.1f} to {100 * ends[1]:+.1f})"

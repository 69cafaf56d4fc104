"""Run the product with and without each of its mechanisms in two scripted worlds, and write what each is worth there.

    python benchmarks/mechanisms/run.py --seeds 20 --out outputs/mechanisms --table docs/reference/benchmarks.md

A run that is finished is read, not made again. The worlds' assumptions are in `assumptions.py`, the compared
configurations in `conditions.py`. Everything else is the product's own: the loop, its prompts, its gate, its files.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.mechanisms.conditions import PAIRS, SWEEPS, WHOLE, Pair, Sweep, at  # noqa: E402
from benchmarks.mechanisms.report import Outcomes, compared, page  # noqa: E402
from benchmarks.mechanisms.trial import outcome  # noqa: E402

START, END = "<!-- mechanisms -->\n", "<!-- /mechanisms -->\n"

Question = tuple[str, Pair]
"""A setting's name and what is compared there."""


def main(argv: list[str] | None = None) -> int:
    """Run what is asked for and print its tables; write them into a page and the figures into a file if wanted."""
    asked = _arguments().parse_args(argv)
    whole = {where: dict(_pairs(where, asked.only)) for where in asked.settings}
    varied = {name: list(_points(SWEEPS[name])) for name in asked.sweeps}
    questions = [(where, pair) for where, them in whole.items() for pair in them.values()]
    questions += [point for points in varied.values() for point in points]
    outcomes = _outcomes(questions, asked.seeds, asked.out, asked.processes)
    found = {
        where: {name: compared(where, pair, outcomes) for name, pair in them.items()} for where, them in whole.items()
    }
    swept = {name: [compared(where, pair, outcomes) for where, pair in points] for name, points in varied.items()}
    text = page(found, swept)
    print(text)
    if asked.json:
        asked.json.write_text(json.dumps({**found, "sweeps": swept}, indent=1) + "\n", encoding="utf-8")
    if asked.table:
        old = asked.table.read_text(encoding="utf-8")
        head, tail = old.split(START)[0], old.split(END)[1]
        asked.table.write_text(f"{head}{START}{text}{END}{tail}", encoding="utf-8")
    return 0


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=[*PAIRS], default=[*PAIRS], metavar="NAME", help="|".join(PAIRS))
    parser.add_argument("--settings", nargs="+", choices=WHOLE, default=WHOLE, help="worlds to run in")
    parser.add_argument("--sweeps", nargs="*", choices=[*SWEEPS], default=[*SWEEPS], help="values to vary")
    parser.add_argument("--seeds", type=int, default=20, help="how many seeds, from 1 on")
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="runs at once")
    parser.add_argument("--out", type=Path, required=True, help="folder of finished runs, a small file each")
    parser.add_argument("--table", type=Path, help="page to write the tables into, between its two marks")
    parser.add_argument("--json", type=Path, help="file to write the figures to")
    return parser


def _points(sweep: Sweep) -> Iterator[Question]:
    return ((at(sweep, value), PAIRS[sweep.pair]) for value in sweep.values)


def _pairs(where: str, names: Iterable[str]) -> Iterator[tuple[str, Pair]]:
    return ((name, PAIRS[name]) for name in names if where in PAIRS[name].settings)


def _outcomes(questions: Iterable[Question], seeds: int, kept: Path, processes: int) -> Outcomes:
    """Return the runs that *questions* need, by setting and variant, in the order of their seeds."""
    sides = dict.fromkeys((where, name) for where, pair in questions for name in (pair.having, pair.lacking))
    wanted = [(where, name, seed) for where, name in sides for seed in range(1, seeds + 1)]
    with ProcessPoolExecutor(processes) as pool:
        made = list(pool.map(outcome, *zip(*wanted, strict=True), [kept] * len(wanted)))
    return {side: made[i * seeds : (i + 1) * seeds] for i, side in enumerate(sides)}


if __name__ == "__main__":
    raise SystemExit(main())

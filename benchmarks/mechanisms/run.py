"""Run the product with and without each of its mechanisms in a scripted world, and write what each is worth there.

    python benchmarks/mechanisms/run.py --seeds 20 --out outputs/mechanisms --table docs/reference/benchmarks.md

A run that is finished is read, not made again. The world's assumptions are in `assumptions.py`, the compared
configurations in `conditions.py`. Everything else is the product's own: the loop, its prompts, its gate, its files.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.mechanisms import report  # noqa: E402
from benchmarks.mechanisms.conditions import PAIRS  # noqa: E402
from benchmarks.mechanisms.trial import outcome  # noqa: E402

START, END = "<!-- mechanisms -->\n", "<!-- /mechanisms -->\n"


def main(argv: list[str] | None = None) -> int:
    """Run what is asked for and print its table; write it into a page and the figures into a file if wanted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=[*PAIRS], default=[*PAIRS], metavar="NAME", help="|".join(PAIRS))
    parser.add_argument("--seeds", type=int, default=20, help="how many seeds, from 1 on")
    parser.add_argument("--out", type=Path, required=True, help="folder of finished runs, a small file each")
    parser.add_argument("--table", type=Path, help="page to write the table into, between its two marks")
    parser.add_argument("--json", type=Path, help="file to write the figures to")
    asked = parser.parse_args(argv)
    pairs = {name: PAIRS[name] for name in asked.only}
    variants = dict.fromkeys(name for pair in pairs.values() for name in (pair.having, pair.lacking))
    outcomes = {name: [outcome(name, seed, asked.out) for seed in range(1, asked.seeds + 1)] for name in variants}
    found = {name: report.compared(pair, outcomes) for name, pair in pairs.items()}
    rows = report.table(found)
    print(rows)
    if asked.json:
        asked.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    if asked.table:
        page = asked.table.read_text(encoding="utf-8")
        head, tail = page.split(START)[0], page.split(END)[1]
        asked.table.write_text(f"{head}{START}{rows}{END}{tail}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

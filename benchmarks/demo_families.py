"""Train the quick start on every example family and several seeds, and write what came of it as a table.

    python benchmarks/demo_families.py --families dates prices --seeds 1 2 3 4 5 --out outputs/families
    python benchmarks/demo_families.py --out outputs/families --table docs/reference/benchmarks.md

A run that is finished is read, not made again; a stopped one goes on. Everything is the product's own: the loop, the
embedded model as student and teacher, `examples/demo.yaml`. A seed sets both the split and the batches.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from statistics import mean
from typing import Any

from reflact import Plugins
from reflact.config import load
from reflact.engine.train import train

ROOT = Path(__file__).resolve().parent.parent
START, END = "<!-- families -->\n", "<!-- /families -->\n"


def run(family: str, seed: int, out: Path) -> dict[str, Any]:
    """Return the summary of one run, made if it is not there yet."""
    folder = out / f"{family}-{seed}"
    done = folder / "result.json"
    if not done.is_file():
        plugins = Plugins()
        overrides = [
            f"env.data_path={ROOT / 'examples' / 'families' / family}.jsonl",
            f"env.split_seed={seed}",
            f"train.seed={seed}",
        ]
        resolved = load(ROOT / "examples" / "demo.yaml", overrides=overrides, plugins=plugins)
        quiet = plugins.observers(disabled=frozenset(plugins.names("observers")))
        wall, cpu = time.monotonic(), time.process_time()
        values = train(resolved, plugins, folder, observers=quiet).values
        took = {"wall_s": round(time.monotonic() - wall, 1), "cpu_s": round(time.process_time() - cpu, 1)}
        kept = {key: values[key] for key in ("baseline_selection_hard", "best_selection_hard", "test", "learnt")}
        done.write_text(json.dumps({"family": family, "seed": seed, **took, **kept}, indent=1), encoding="utf-8")
    result: dict[str, Any] = json.loads(done.read_text(encoding="utf-8"))
    return result


def row(result: dict[str, Any]) -> str:
    """Return one run as a line of the table."""
    before, after = result["test"]["baseline"], result["test"]["best"]
    gain = 100 * (after["right"] / after["n"] - before["right"] / before["n"])
    low, high = (round(100 * share) for share in after["interval_95"])
    return (
        f"| {result['family']} | {result['seed']} | {result['baseline_selection_hard']:.2f} → "
        f"{result['best_selection_hard']:.2f} | {before['right']}/{before['n']} | {after['right']}/{after['n']} "
        f"({low}–{high} %) | {gain:+.0f} | {result['cpu_s']:.0f} |"
    )


def table(results: list[dict[str, Any]]) -> str:
    """Return all runs, and the mean gain of each family."""
    lines = [
        "| family | seed | selection, before → after | test before | test after (95 % interval) | points | CPU s |",
        "|---|---|---|---|---|---|---|",
        *map(row, results),
        "",
        "| family | seeds | mean gain on the test split, points | smallest | largest |",
        "|---|---|---|---|---|",
    ]
    for family in dict.fromkeys(one["family"] for one in results):
        gains = [gain(one) for one in results if one["family"] == family]
        lines.append(f"| {family} | {len(gains)} | {mean(gains):+.1f} | {min(gains):+.0f} | {max(gains):+.0f} |")
    return "\n".join(lines) + "\n"


def gain(result: dict[str, Any]) -> float:
    """Return the gain on the test split in points."""
    before, after = result["test"]["baseline"], result["test"]["best"]
    return float(100 * (after["right"] / after["n"] - before["right"] / before["n"]))


def main() -> int:
    """Run what is asked for and print it; with `--table` put all finished runs into a page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--families", nargs="*", default=[])
    parser.add_argument("--seeds", nargs="*", type=int, default=[1])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--table", type=Path)
    given = parser.parse_args()
    for seed in given.seeds:
        for family in given.families:
            print(row(run(family, seed, given.out)), flush=True)
    if given.table:
        found = [json.loads(file.read_text(encoding="utf-8")) for file in given.out.glob("*/result.json")]
        found.sort(key=lambda one: (one["family"] != "dates", one["family"], one["seed"]))
        text = given.table.read_text(encoding="utf-8")
        head, rest = text.split(START)
        given.table.write_text(head + START + table(found) + END + rest.split(END)[1], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""What running a student's program costs beyond the sandboxed program: the env's executor against a bare loop."""

from __future__ import annotations

import argparse
import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from openpyxl import Workbook
from reflact.kit.sandbox import Job
from reflact_env_spreadsheetbench.booth import INSIDE, ONE_THREAD, Booth, booth
from reflact_env_spreadsheetbench.config import SpreadsheetConfig
from reflact_env_spreadsheetbench.execute import DRIVER, Executor

PROGRAM = """import openpyxl
book = openpyxl.load_workbook(INPUT_PATH)
sheet = book.worksheets[0]
for row in range(2, sheet.max_row + 1):
    sheet.cell(row, 3, sheet.cell(row, 1).value * sheet.cell(row, 2).value)
book.save(OUTPUT_PATH)
"""
BAR = 0.15


def main() -> None:
    """Measure by turns, and print the rates and what is added."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=60, help="executions each way (60)")
    parser.add_argument("--rows", type=int, default=200, help="rows of the workbook (200)")
    given = parser.parse_args()
    config = SpreadsheetConfig()
    place = booth(config)
    with tempfile.TemporaryDirectory() as name:
        source = workbook(Path(name), given.rows)
        ways: dict[str, Callable[[], None]] = {
            "executor": lambda: through_executor(Executor(place, config.max_output_mb), source),
            "bare loop": lambda: bare(place, source, Path(name)),
        }
        spent: dict[str, list[tuple[float, float]]] = {way: [] for way in ways}
        for run in ways.values():
            run()
        for _ in range(given.runs):
            for label, run in ways.items():
                spent[label].append(measured(run))
    for label, found in spent.items():
        wall, cpu = (statistics.median(part) for part in zip(*found, strict=True))
        print(
            f"{label:10} {1 / wall:6.2f} executions/s  {wall * 1000:7.1f} ms each, {cpu * 1000:.1f} ms of our processor"
        )
    for number, what in enumerate(("wall time", "our processor time")):
        mine, bare_one = (statistics.median(one[number] for one in spent[label]) for label in ways)
        print(f"overhead in {what}: {mine / bare_one - 1:+.1%}; the bar is {BAR:.0%}")


def measured(run: Callable[[], None]) -> tuple[float, float]:
    """Return the seconds *run* takes, and the processor time of it outside the sandbox."""
    wall, cpu = time.perf_counter(), processor()
    run()
    return time.perf_counter() - wall, processor() - cpu


def processor() -> float:
    """Return the processor time of this process and the children it has waited for, in seconds."""
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in usages)


def workbook(folder: Path, rows: int) -> Path:
    """Write a workbook with two columns of numbers."""
    book = Workbook()
    for row in [("A", "B", "C"), *((number, number + 1) for number in range(rows))]:
        book.active.append(row)
    path = folder / "data" / "1_9_input.xlsx"
    path.parent.mkdir()
    path.parent.chmod(0o755)
    book.save(path)
    return path


def through_executor(execute: Executor, source: Path) -> None:
    """Run the program as the env does: a fresh folder, copies, the output taken out."""
    ran = execute(PROGRAM, source)
    assert ran.workbook, ran.printed


def bare(place: Booth, source: Path, folder: Path) -> None:
    """Start the same program in the same sandbox, in a folder that is used again and again."""
    work = folder / "bare"
    work.mkdir(exist_ok=True)
    (work / "solution.py").write_text(PROGRAM, encoding="utf-8")
    argv = (place.python, "-I", "-B", str(DRIVER), str(work / "solution.py"), str(source), str(work / "output.xlsx"))
    readable = (*place.readable, INSIDE, source.parent)
    ran = place.box.run(Job(argv=argv, work=work, readable=readable, environment=ONE_THREAD, limits=place.limits))
    assert ran.ok, ran.stderr


if __name__ == "__main__":
    main()

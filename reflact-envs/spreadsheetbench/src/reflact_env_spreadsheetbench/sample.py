"""Made-up tasks in the form of the benchmark's releases, with all the ways they name files and positions."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

from openpyxl import Workbook, load_workbook

from reflact_env_spreadsheetbench.books import save
from reflact_env_spreadsheetbench.recipes import RECIPES, Recipe


def write_sample(out: Path, n: int, seed: int) -> None:
    """Write *n* tasks, drawn by *seed*, to `out/dataset.json` and `out/spreadsheet/<id>/`: as an archive unpacks."""
    dice = Random(seed)
    records = []
    for number in range(n):
        name = list(RECIPES)[number % len(RECIPES)]
        task_id, recipe = f"{9000 + number}-{name}", RECIPES[name]
        folder = out / "spreadsheet" / task_id
        for case in range(1, recipe.cases + 1):
            _write_case(folder, task_id, case, recipe, dice)
        records.append(
            {
                "id": task_id,
                "instruction": recipe.instruction,
                "spreadsheet_path": f"spreadsheet/{task_id}",
                "instruction_type": recipe.kind,
                "answer_position": recipe.position,
                **({"answer_sheet": recipe.sheet} if recipe.sheet else {}),
                **recipe.extra,
            }
        )
    out.mkdir(parents=True, exist_ok=True)
    (out / "dataset.json").write_text(json.dumps(records, indent=1) + "\n", encoding="utf-8")


def _write_case(folder: Path, task_id: str, case: int, recipe: Recipe, dice: Random) -> None:
    source, gold = (folder / name.format(n=case, id=task_id) for name in recipe.names)
    book = Workbook()
    book.remove(book.worksheets[0])
    recipe.fill(book, dice)
    save(book, source)
    book = load_workbook(source)
    stored = recipe.solve(book)
    save(book, gold, stored=stored)

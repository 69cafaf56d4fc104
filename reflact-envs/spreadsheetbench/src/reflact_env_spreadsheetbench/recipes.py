"""Made-up tasks: what is asked, what the workbook holds, and what it should become."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from random import Random
from typing import Any

from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

CELL, SHEET = "Cell-Level Manipulation", "Sheet-Level Manipulation"
NAMES = ("Ada", "Bo", "Cleo", "Dev", "Emil", "Fay", "Gus")
Rows = Sequence[Sequence[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """A kind of task. `fill` writes the rows of a case; `solve` does what is asked, and returns stored results."""

    instruction: str
    position: str
    fill: Callable[[Workbook, Random], None]
    solve: Callable[[Workbook], dict[str, object]]
    kind: str = CELL
    sheet: str = ""
    cases: int = 1
    names: tuple[str, str] = ("{n}_{id}_input.xlsx", "{n}_{id}_answer.xlsx")
    extra: dict[str, str] = field(default_factory=dict)


def _sheet(book: Workbook, title: str, rows: Rows) -> Worksheet:
    sheet = book.create_sheet(title)
    for row in rows:
        sheet.append(list(row))
    return sheet


def _rows(book: Workbook, title: str) -> range:
    return range(2, book[title].max_row + 1)


def _factors(book: Workbook, dice: Random) -> None:
    rows = [[dice.randint(2, 99), dice.randint(2, 99) / 4] for _ in range(5)]
    _sheet(book, "Data 1", [["Units", "Price", "Total"], *rows])


def _products(book: Workbook) -> dict[str, object]:
    sheet = book["Data 1"]
    for row in _rows(book, "Data 1"):
        sheet.cell(row, 3, sheet.cell(row, 1).value * sheet.cell(row, 2).value)
    return {}


def _people(book: Workbook, dice: Random) -> None:
    _sheet(book, "b2b, sez, de", [["Name", "Shouted"], *([dice.choice(NAMES)] for _ in range(5))])


def _shouted(book: Workbook) -> dict[str, object]:
    sheet = book["b2b, sez, de"]
    for row in _rows(book, sheet.title):
        sheet.cell(row, 2, sheet.cell(row, 1).value.upper())
    return {}


def _two_sheets(book: Workbook, dice: Random) -> None:
    for title in ("Plus", "Minus"):
        _sheet(book, title, [["Amount", "Opposite"], *([dice.randint(1, 500)] for _ in range(6))])


def _opposites(book: Workbook) -> dict[str, object]:
    for title in ("Plus", "Minus"):
        for row in _rows(book, title):
            book[title].cell(row, 2, -book[title].cell(row, 1).value)
    return {}


def _amounts(book: Workbook, dice: Random) -> None:
    rows = [[dice.choice(NAMES), dice.randint(1, 90)] for _ in range(5)]
    _sheet(book, "Ledger", [["Name", "Amount", "", "Running", "", "All"], *rows])


def _running(book: Workbook) -> dict[str, object]:
    sheet, total = book["Ledger"], 0
    for row in _rows(book, "Ledger"):
        total += sheet.cell(row, 2).value
        sheet.cell(row, 4, total)
    sheet["F2"] = total
    return {}


def _visits(book: Workbook, dice: Random) -> None:
    rows = [[datetime(2024, 1, 1) + timedelta(days=dice.randint(0, 300)), dice.randint(7, 17)] for _ in range(5)]
    _sheet(book, "Visits", [["Day", "Hour", "A week later", "Half past"], *rows])


def _later(book: Workbook) -> dict[str, object]:
    sheet = book["Visits"]
    for row in _rows(book, "Visits"):
        sheet.cell(row, 3, sheet.cell(row, 1).value + timedelta(days=7))
        sheet.cell(row, 4, time(sheet.cell(row, 2).value, 30))
    return {}


def _scores(book: Workbook, dice: Random) -> None:
    _sheet(book, "Scores", [["Score", "Over 50", "Note"], [99], *([dice.randint(1, 99)] for _ in range(5))])


def _passed(book: Workbook) -> dict[str, object]:
    sheet = book["Scores"]
    for row in _rows(book, "Scores"):
        over = sheet.cell(row, 1).value > 50
        sheet.cell(row, 2, over)
        sheet.cell(row, 3, "good" if over else None)
    return {}


def _stock(book: Workbook, dice: Random) -> None:
    _sheet(book, "Stock", [["Item", "Count"], *([dice.choice(NAMES), dice.randint(1, 60)] for _ in range(6))])
    book["Stock"]["D1"] = "Sum"


def _summed(book: Workbook) -> dict[str, object]:
    sheet = book["Stock"]
    sheet["D2"] = "=SUM(B2:B7)"
    return {"D2": sum(sheet.cell(row, 2).value for row in _rows(book, "Stock"))}


def _orders(book: Workbook, dice: Random) -> None:
    _sheet(book, "Orders", [["Name"], ["Ada"], ["Bo"], *([dice.choice(NAMES[:4])] for _ in range(8))])


def _counted(book: Workbook) -> dict[str, object]:
    counts = Counter(book["Orders"].cell(row, 1).value for row in _rows(book, "Orders"))
    _sheet(book, "Summary", [["Name", "Orders"], *sorted(counts.items())])
    return {}


VERIFIED = ("{n}_{id}_init.xlsx", "{n}_{id}_golden.xlsx")
RECIPES: dict[str, Recipe] = {
    "product": Recipe(
        instruction="In column C put the product of columns A and B for every data row.",
        position="'Data 1'!C2:C6",
        fill=_factors,
        solve=_products,
        sheet="Data 1",
        cases=3,
        extra={"data_position": "'Data 1'!A1:B6"},
    ),
    "shout": Recipe(
        instruction="Next to each name write it in capital letters.",
        position="'b2b, sez, de'!B2:B6",
        fill=_people,
        solve=_shouted,
        names=VERIFIED,
    ),
    "opposite": Recipe(
        instruction="On both sheets, write the negative of each amount into column B.",
        position="Plus!A:B,Minus'!A:B",
        fill=_two_sheets,
        solve=_opposites,
        kind=SHEET,
        sheet="Plus, Minus",
        names=("initial.xlsx", "golden.xlsx"),
    ),
    "running": Recipe(
        instruction="Column D is to hold the running total of column B, and F2 the total.",
        position="D6:D2,$F$2",
        fill=_amounts,
        solve=_running,
        names=("{n}_{id}_init.xlsx", "{n}_{id}0_golden.xlsx"),
    ),
    "later": Recipe(
        instruction="Put the day a week later into column C, and the time half past the hour of column B into D.",
        position="visits!c2:d6",
        fill=_visits,
        solve=_later,
        names=VERIFIED,
    ),
    "passed": Recipe(
        instruction="Say in column B whether a score is over 50 (TRUE or FALSE), and 'good' in column C if it is.",
        position="Scores!B2:C7",
        fill=_scores,
        solve=_passed,
        names=VERIFIED,
    ),
    "sum": Recipe(
        instruction="Put the sum of the counts into D2.",
        position="'Stock'!D2",
        fill=_stock,
        solve=_summed,
        names=VERIFIED,
    ),
    "summary": Recipe(
        instruction="Make a sheet Summary with the headings Name and Orders: how often each name occurs, by name.",
        position="A1:B5",
        fill=_orders,
        solve=_counted,
        kind=SHEET,
        sheet="Summary",
        cases=2,
    ),
}

"""A made-up archive: bulletins of a treasury that never was, and questions whose answers stand in them."""

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from random import Random

_MONTHS = ("January", "March", "June", "August", "October", "December")
_TOWNS = ("Ardmoor", "Quillhaven", "Tessel", "Ondra", "Velm", "Port Sarn")
_QUESTIONS = (
    ("harbor", "What were the receipts from harbor dues, in thousands of crowns"),
    ("salt_share", "Which share of all receipts came from the salt tax, in percent"),
    ("balance", "What was the balance of the lighthouse fund, in thousands of crowns"),
    ("three", "What were the receipts from stamps, the lottery and tolls, in this order, in thousands of crowns"),
    ("loan", "In which month and year was the canal loan first issued"),
    ("town", "Which town did the mint move to"),
    ("arrears", "What were the arrears of the ferry company, in thousands of crowns"),
    ("rate", "What was the rate of the floating debt, in percent"),
)
_COLUMNS = ("uid", "question", "answer", "source_docs", "source_files", "difficulty")
_FILLER = "The commissioners met twice in the quarter and found the books in good order, as in the quarters before. "


def write_sample(out: Path, n: int, seed: int) -> None:
    """Write *n* questions, drawn by *seed*, to `out/officeqa.csv` and their bulletins below `out/docs`.

    Tables give a preliminary and a revised figure; the revised one is right. No figure in them is true.
    """
    dice = Random(seed)
    rows = []
    for number in range(n):
        if number % 4 == 0:
            bulletin = _bulletin(number // 4, dice)
            _write(out / "docs", bulletin, dice)
        rows.append(_row(number, bulletin))
    with (out / "officeqa.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, _COLUMNS)
        writer.writeheader()
        writer.writerows(rows)


def _bulletin(number: int, dice: Random) -> dict[str, str]:
    year, month = 1931 + number // len(_MONTHS), number % len(_MONTHS)
    return {
        "name": f"treasury_bulletin_{year}_{2 * month + 1:02d}",
        "when": f"{_MONTHS[month]} {year}",
        "harbor": f"{dice.randint(2100, 9800):,}",
        "salt_share": f"{dice.randint(101, 399) / 10}%",
        "balance": f"-{dice.randint(101, 999) / 10}",
        "three": f"[{dice.randint(110, 190)}, {dice.randint(210, 290)}, {dice.randint(310, 390)}]",
        "loan": f"{dice.choice(_MONTHS)} {year - dice.randint(2, 20)}",
        "town": dice.choice(_TOWNS),
        "arrears": "0" if number % 2 == 0 else str(dice.randint(11, 99)),
        "rate": f"{dice.randint(210, 590) / 100:.2f}",
    }


def _row(number: int, bulletin: Mapping[str, str]) -> dict[str, str]:
    fact, asked = _QUESTIONS[(number % 4) + 4 * (number // 4 % 2)]
    file, page = f"{bulletin['name']}.txt", 3 if fact in ("loan", "town", "arrears", "rate") else 2
    docs = f"https://example.org/bulletins/{bulletin['name'][-7:]}?page={page}"
    if number % 3 == 1:
        docs = f"corpus_file={file} | pdf_page_number={page} | year={bulletin['name'][-7:-3]}"
    return {
        "uid": f"MADE{number:04d}",
        "question": f"{asked}, as told in the bulletin of {bulletin['when']}?",
        "answer": bulletin[fact],
        "source_docs": docs + ("\r\n" if number % 3 == 2 else ""),
        "source_files": f"{file};" if number % 3 == 1 else file,
        "difficulty": "easy" if number % 2 == 0 else "hard",
    }


def _write(folder: Path, bulletin: Mapping[str, str], dice: Random) -> None:
    first, table, notes = _front(bulletin), _table(bulletin, dice), _notes(bulletin)
    texts, parsed = folder / "transformed", folder / "jsons"
    for place in (texts, parsed):
        place.mkdir(parents=True, exist_ok=True)
    lines = "\n".join(" | ".join(row) for row in table)
    (texts / f"{bulletin['name']}.txt").write_text(f"{first}\n\n{lines}\n\n{notes}\n", encoding="utf-8")
    markup = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in table)
    elements = [
        {"content": text, "bbox": [{"page_id": page}]}
        for page, text in ((1, first), (2, f"<table>{markup}</table>"), (3, notes))
    ]
    content = json.dumps({"document": {"elements": elements}}, indent=1)
    (parsed / f"{bulletin['name']}.json").write_text(content + "\n", encoding="utf-8")


def _front(bulletin: Mapping[str, str]) -> str:
    return f"TREASURY BULLETIN OF OSTERMARK\n{bulletin['when']}\n\n{_FILLER * 8}"


def _table(bulletin: Mapping[str, str], dice: Random) -> list[tuple[str, str, str]]:
    stamps, lottery, tolls = bulletin["three"].strip("[]").split(", ")
    rows = [("Harbor dues", bulletin["harbor"]), ("Stamps", stamps), ("Lottery", lottery), ("Tolls", tolls)]
    rows += [("Salt tax, share of receipts", bulletin["salt_share"])]
    rows += [("Balance of the lighthouse fund", f"({bulletin['balance'].lstrip('-')})")]
    return [
        ("Receipts in thousands of crowns", "preliminary", "revised"),
        *((name, _preliminary(figure, dice), figure) for name, figure in rows),
    ]


def _preliminary(figure: str, dice: Random) -> str:
    """Return *figure* with another first digit."""
    place = next(place for place, one in enumerate(figure) if one.isdigit())
    return f"{figure[:place]}{(int(figure[place]) + dice.randint(1, 8) - 1) % 9 + 1}{figure[place + 1 :]}"


def _notes(bulletin: Mapping[str, str]) -> str:
    return (
        f"NOTES\n\nThe canal loan was first issued in {bulletin['loan']}.\nThe mint moved to {bulletin['town']}.\n"
        f"Arrears of the ferry company: {bulletin['arrears']}.\n"
        f"Rate of the floating debt: {bulletin['rate']} percent.\n\n{_FILLER * 8}"
    )

"""Made-up SearchQA items: invented facts, and the answers that are hard to get right."""

import json
from pathlib import Path
from random import Random
from typing import Any

_FIRST = ("Quill", "Marrow", "Tessel", "Ondra", "Velm", "Sarn", "Piko", "Lumen", "Harrow", "Zephra")
_SECOND = ("Islands", "Valley", "Harbour", "Plateau", "Republic", "Archipelago")
_DEEDS = ("moved its capital", "opened its first railway", "dropped the florin", "elected a poet", "dug a canal")
_SPECIAL = ("O'Hara-Lee", "Łódź-Éire", "The The", "東の港", "St. Brim's")
_FILLER = "The weather was mild and nothing else of note was written down in that year. "


def write_sample(out: Path, n: int, seed: int) -> None:
    """Write *n* items, drawn by *seed*, to `out/items.json`; no fact in them is true."""
    dice = Random(seed)
    items = [_item(number, dice) for number in range(n)]
    out.mkdir(parents=True, exist_ok=True)
    text = json.dumps(items, ensure_ascii=False, indent=1) + "\n"
    (out / "items.json").write_text(text, encoding="utf-8")


def _item(number: int, dice: Random) -> dict[str, Any]:
    plain = f"{dice.choice(_FIRST)} {dice.choice(_SECOND)}"
    name = _SPECIAL[number // 4 % len(_SPECIAL)] if number % 4 == 3 else plain
    year, deed = 1801 + number, dice.choice(_DEEDS)
    support = _document(name, f"In {year} {name} {deed}.")
    others = [_document(f"{first} {number}", f"{first} {number} is a surname.") for first in dice.sample(_FIRST, 3)]
    if number % 5 == 4:
        documents = [_document("Almanac", _FILLER * 40), _document("Almanac, part two", _FILLER * 40), *others, support]
    else:
        documents = [*others, support]
        dice.shuffle(documents)
    return {
        "id": f"made-up-{number:04d}",
        "question": f"this place {deed} in {year}",
        "context": " ".join(documents),
        "answers": [f"the {name}", name] if number % 3 == 0 else [name],
    }


def _document(title: str, text: str) -> str:
    return f"[DOC] [TLE] {title} [PAR] {text}"

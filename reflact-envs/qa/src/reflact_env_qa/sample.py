"""Made-up questions whose answers follow a house rule that no model can guess, and a skill can teach."""

import json
from pathlib import Path
from random import Random

_NAMES = ("Ada", "Bo", "Cleo", "Dov", "Esi", "Finn", "Gus", "Hana", "Ivo", "Jun", "Kai", "Lea")
_PARTS = ("hinge", "bolt", "bracket", "dowel", "washer", "rivet", "clamp", "gasket")


def write_sample(out: Path, n: int, seed: int) -> None:
    """Write *n* orders, drawn by *seed*, to `out/items.json`; the answer is a shelf code made by a fixed rule."""
    dice = Random(seed)
    items = []
    for number in range(n):
        part, count = dice.choice(_PARTS), dice.randint(1, 99)
        items.append(
            {
                "id": f"order-{number:04d}",
                "question": f"Order {number}: {dice.choice(_NAMES)} needs {count} pieces of {part}. Which shelf code?",
                "answer": f"{part[:2].upper()}-{count:03d}{'X' if count > 50 else ''}",
                "kind": "large" if count > 50 else "small",
            }
        )
    out.mkdir(parents=True, exist_ok=True)
    (out / "items.json").write_text(json.dumps(items, indent=1) + "\n", encoding="utf-8")

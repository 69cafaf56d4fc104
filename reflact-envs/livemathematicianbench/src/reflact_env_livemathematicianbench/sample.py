"""Made-up questions about made-up theorems, in the form of the raw files: the right choice always first."""

import json
from pathlib import Path
from random import Random
from typing import Any

_THINGS = ("finite blue graph", "tame ring", "quiet lattice", "folded surface", "patient group", "open ladder")
_PARTS = ("odd petals", "silent edges", "loose ideals", "narrow cells", "twin points", "free rungs")
_TYPES = ("Universal", "Existence", "Bound", "Equivalence")
_META = "Exactly one of the other statements is correct, but a stronger one can be shown."


def write_sample(out: Path, n: int, seed: int) -> None:
    """Write *n* questions, drawn by *seed*, to `out/data/<month>/qa_<month>_final.json`, half to each of two months.

    Question numbers begin anew each month. Every sixth question has a sixth choice, every eighth a meta-option.
    """
    dice = Random(seed)
    half = (n + 1) // 2
    for month, numbers in (("202511", range(half)), ("202512", range(half, n))):
        items = [_item(number, number - numbers.start + 1, dice) for number in numbers]
        file = out / "data" / month / f"qa_{month}_final.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(items, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _item(number: int, no: int, dice: Random) -> dict[str, Any]:
    thing, part = dice.choice(_THINGS), dice.choice(_PARTS)
    claim = f"It is $\\{{0, {number + 2}\\}}$-even: $2 \\mid {number + 3}n$."
    wrong = [f"It is at most ${number + k}$." for k in (2, 3, 5)]
    choices = [claim, *wrong, "A strictly larger bound holds."]
    if number % 6 == 5:
        choices.append(r"It is $\sqrt{2}$ on average.")
    if number % 8 == 7:
        choices = [_META, claim, *wrong]
    labelled = [{"label": label, "text": text} for label, text in zip("ABCDEF", choices, strict=False)]
    return {
        "no": no,
        "paper_link": f"https://example.org/abs/0000.{number:05d}",
        "theorem": f"In every {thing} of order {number + 2} the number of {part} is even.",
        "sketch": f"Count the ends of the {part} twice.",
        "theorem_type": [dice.choice(_TYPES)],
        "mcq": {
            "question": f"What can be said about the number of {part} of a {thing} of order {number + 2}?",
            "choices": labelled,
            "correct_choice": labelled[0],
        },
    }

"""Four kinds of made-up puzzles, drawn with Pillow, each with its question and its answer."""

from collections.abc import Callable
from random import Random
from typing import Any

from PIL import Image, ImageDraw
from reflact.kit.media.watermark import mark

Record = dict[str, Any]
_SIZE = (320, 240)
_MODES = ("RGB", "RGBA", "P", "RGB")
_ROWS, _COLUMNS = 4, 6


def puzzle(number: int, dice: Random) -> tuple[Image.Image, Record]:
    """Return puzzle *number*, its number marked in the picture, and its record without id and image.

    The kinds take turns; pictures are RGB, RGBA with a transparent ground, or with a palette.
    """
    mode = _MODES[number % len(_MODES)]
    image = Image.new("RGBA", _SIZE, (255, 255, 255, 0) if mode == "RGBA" else "white")
    record = _KINDS[number % len(_KINDS)](ImageDraw.Draw(image), number, dice)
    mark(image, number)
    shown = image if mode == "RGBA" else image.convert("RGB")
    return (shown.quantize(16) if mode == "P" else shown), record


def _odd_cell(pen: ImageDraw.ImageDraw, number: int, dice: Random) -> Record:
    row, column = dice.randrange(_ROWS), dice.randrange(_COLUMNS)
    for place in range(_ROWS * _COLUMNS):
        left, top = 20 + place % _COLUMNS * 48, 8 + place // _COLUMNS * 52
        pen.ellipse((left, top, left + 34, top + 34), outline="black", width=3)
        if (place // _COLUMNS, place % _COLUMNS) == (row, column):
            pen.line((left + 20, top + 20, left + 38, top + 38), fill="black", width=3)
    at = f"({row + 1},{column + 1})"
    wide = f"（{row + 1}，{column + 1}）"
    answers = at if number % 8 else [wide, f"row {row + 1} column {column + 1}"]
    question = f"Puzzle {number}: which cell differs from all others? Answer as (row,column)."
    return {
        **_blank("Fine-grained Discrimination", "Find the different", question, answers),
        "coT": f"All cells are plain rings except the one in row {row + 1}, column {column + 1}, which has a tail.",
    }


def _count(pen: ImageDraw.ImageDraw, number: int, dice: Random) -> Record:
    n = dice.randint(2, 6)
    triangles = set(dice.sample(range(12), n))
    for place in range(12):
        left, top = 20 + place % 4 * 72, 12 + place // 4 * 70
        if place in triangles:
            pen.polygon([(left, top + 40), (left + 20, top), (left + 40, top + 40)], fill="navy")
        else:
            pen.ellipse((left, top, left + 40, top + 40), fill="orange")
    return {
        **_blank("Visual Perception", "Count", f"Puzzle {number}: how many triangles are there?", str(n)),
        "coT": "",
    }


def _digits(pen: ImageDraw.ImageDraw, number: int, dice: Random) -> Record:
    n = dice.randrange(3)
    for place in range(5):
        box = (20 + place * 58, 90, 60 + place * 58, 130)
        pen.rectangle(box, fill="crimson" if place < n else "gray")
    question = f"Puzzle {number}: how many squares are red?"
    options = ["2", "0", None, "1"]
    index = options.index(str(n))
    return _choice("Visual Perception", "Count", question, options, str(index) if number % 8 < 4 else float(index))


def _exit(pen: ImageDraw.ImageDraw, number: int, dice: Random) -> Record:
    order = dice.sample(range(3), 3)
    for start, end in enumerate(order):
        middle = (dice.randint(120, 200), 40 + 60 * dice.randrange(3))
        path = [(20, 40 + 60 * start), middle, (300, 40 + 60 * end)]
        pen.line(path, fill=("red", "green", "blue")[start], width=3)
    question = f"Puzzle {number}: at which height does the red line end?"
    return _choice("Visual Tracking", "Connect the lines", question, ["Top", "Middle", "Bottom"], order[0])


def _blank(kind: str, subtype: str, question: str, answer: str | list[str]) -> Record:
    asked = {"type": kind, "subtype": subtype, "question": question, "ansType": "blank"}
    return {**asked, "options": [], "choiceAns": None, "blankAns": answer}


def _choice(kind: str, subtype: str, question: str, options: list[str | None] | list[str], index: Any) -> Record:
    asked = {"type": kind, "subtype": subtype, "question": question, "ansType": "choice"}
    cot = f"Go through the options in turn: number {int(float(index)) + 1} of the list is what the picture shows."
    return {**asked, "options": options, "choiceAns": index, "blankAns": None, "coT": cot}


_KINDS: tuple[Callable[[ImageDraw.ImageDraw, int, Random], Record], ...] = (_odd_cell, _count, _digits, _exit)

"""A number written into the pixels of a sample picture, so that a test can tell which picture arrived.

The mark is a row of black and white cells in the bottom left corner, each as wide as a fortieth of the picture: two
black and two white to find it by, 16 bits of the number, four of a checksum. It stays readable when the picture is
scaled down to 120 pixels across, or encoded as JPEG.
"""

from __future__ import annotations

import io

from PIL import Image, ImageDraw

_COLUMNS = 40
_START = "1100"
_BITS = 16
_CHECK = 4
_CELLS = len(_START) + _BITS + _CHECK
LARGEST = 2**_BITS - 1


def mark(image: Image.Image, number: int) -> None:
    """Write *number* (0..65535) into *image*, of any mode in which white and black are colours; at least 40 wide."""
    if not 0 <= number <= LARGEST:
        raise ValueError(f"a mark is a number from 0 to {LARGEST}, not {number}")
    pen = ImageDraw.Draw(image)
    unit = image.width / _COLUMNS
    top = image.height - unit
    for place, bit in enumerate(_START + _text(number)):
        box = (round(place * unit), round(top), round((place + 1) * unit) - 1, image.height - 1)
        pen.rectangle(box, fill="black" if bit == "1" else "white")


def read_mark(data: bytes) -> int | None:
    """Return the number in the encoded picture *data*; None when there is no mark in it, or none that can be read."""
    with Image.open(io.BytesIO(data)) as image:
        grey = image.convert("L")
    unit = grey.width / _COLUMNS
    row = min(grey.height - 1, round(grey.height - unit / 2))
    levels = [grey.getpixel((int((place + 0.5) * unit), row)) for place in range(_CELLS)]
    text = "".join("1" if isinstance(level, int | float) and level < 128 else "0" for level in levels)
    number = int(text[len(_START) : len(_START) + _BITS], 2)
    return number if text == _START + _text(number) else None


def _text(number: int) -> str:
    check = sum((number >> shift & 0xF) * weight for shift, weight in ((0, 1), (4, 3), (8, 5), (12, 7))) % 2**_CHECK
    return f"{number:0{_BITS}b}{check ^ 0b1010:0{_CHECK}b}"

"""Drawing made-up diagrams with Pillow and its own font."""

from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from reflact.kit.media.watermark import mark

_SIZE = (320, 240)
_INK = 2


def draw(shape: str, lines: Sequence[str], number: int, file: Path) -> None:
    """Write a picture of *shape* with *lines* of text in it to *file*, a PNG with *number* marked in its pixels."""
    image = Image.new("L", _SIZE, "white")
    pen = ImageDraw.Draw(image)
    _SHAPES[shape](pen)
    font = ImageFont.load_default(size=12)
    for place, line in enumerate(lines):
        pen.text((8, 6 + 14 * place), line, fill="black", font=font)
    mark(image, number)
    image.save(file, "PNG")


def _triangle(pen: ImageDraw.ImageDraw) -> None:
    pen.polygon([(70, 210), (280, 210), (230, 110)], outline="black", width=_INK)


def _circle(pen: ImageDraw.ImageDraw) -> None:
    pen.ellipse((190, 110, 290, 210), outline="black", width=_INK)
    pen.line((240, 160, 290, 160), fill="black", width=_INK)


def _prism(pen: ImageDraw.ImageDraw) -> None:
    pen.rectangle((170, 150, 260, 210), outline="black", width=_INK)
    pen.line([(170, 150), (200, 120), (290, 120), (290, 180), (260, 210)], fill="black", width=_INK)
    pen.line((260, 150, 290, 120), fill="black", width=_INK)


def _parabola(pen: ImageDraw.ImageDraw) -> None:
    pen.line((150, 180, 310, 180), fill="black")
    pen.line((230, 100, 230, 220), fill="black")
    pen.line([(230 + x, 200 - x * x / 28) for x in range(-50, 51, 5)], fill="black", width=_INK)


_SHAPES = {"triangle": _triangle, "circle": _circle, "prism": _prism, "parabola": _parabola}

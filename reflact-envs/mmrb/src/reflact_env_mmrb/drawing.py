"""Drawing made-up frames with Pillow: a three by three grid with dots."""

from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw
from reflact.kit.media.watermark import mark

_SIDE, _HIGH = 160, 172


def draw(cells: Sequence[int], number: int, file: Path) -> None:
    """Write a grid with a dot in each of *cells* (1 to 9) to *file*, a PNG with *number* marked in its pixels."""
    image = Image.new("L", (_SIDE, _HIGH), "white")
    pen = ImageDraw.Draw(image)
    step = _SIDE // 3
    for line in (step, 2 * step):
        pen.line((line, 4, line, _SIDE - 4), fill="black")
        pen.line((4, line, _SIDE - 4, line), fill="black")
    for cell in cells:
        left, top = (cell - 1) % 3 * step, (cell - 1) // 3 * step
        pen.ellipse((left + 16, top + 16, left + step - 16, top + step - 16), fill="black")
    mark(image, number)
    image.save(file, "PNG")

"""Drawing made-up pages with Pillow and its own font, which has no accents: those are drawn above the letters."""

import unicodedata
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from reflact.kit.media.watermark import mark

from reflact_env_docvqa.pages import Page

_SMALL = (320, 240)
_HUGE = (5000, 7000)


def draw(page: Page, file: Path) -> None:
    """Write the picture of *page* to *file*, a PNG with the page's number marked in it."""
    size = _HUGE if page.huge else _SMALL
    image = Image.new("1" if page.huge else "L", size, "white")
    pen = ImageDraw.Draw(image)
    unit = size[0] / 320
    font = ImageFont.load_default(size=13 * unit)
    pen.text((10 * unit, 10 * unit), page.title, fill="black", font=font)
    for place, (label, text) in enumerate(page.lines):
        top = (50 + 30 * place) * unit
        pen.text((10 * unit, top), f"{label}:", fill="black", font=font)
        _write(pen, 150 * unit, top, text, unit)
        pen.line((10 * unit, top + 20 * unit, 310 * unit, top + 20 * unit), fill="black", width=max(1, int(unit / 2)))
    mark(image, page.number)
    image.save(file, "PNG")


def _write(pen: ImageDraw.ImageDraw, left: float, top: float, text: str, unit: float) -> None:
    """Write *text* letter by letter, each with its accents."""
    font = ImageFont.load_default(size=13 * unit)
    for letter in text:
        parts = unicodedata.normalize("NFD", letter)
        base, accents = parts[0], parts[1:]
        pen.text((left, top), base, fill="black", font=font)
        width = font.getlength(base)
        high = top + (0 if base.isupper() else 2) * unit
        for accent in accents:
            _accent(pen, accent, left + width / 2, high, unit)
        left += width


def _accent(pen: ImageDraw.ImageDraw, accent: str, middle: float, high: float, unit: float) -> None:
    """Draw one combining *accent*: a stroke, two dots or a ring above the letter, or a hook below it."""
    thick = max(1, int(unit))
    if accent == "\N{COMBINING DIAERESIS}":
        for side in (-2, 2):
            pen.rectangle((middle + (side - 0.5) * unit, high, middle + (side + 0.5) * unit, high + unit), fill="black")
    elif accent == "\N{COMBINING RING ABOVE}":
        pen.ellipse((middle - 1.5 * unit, high - 2 * unit, middle + 1.5 * unit, high + unit), outline="black")
    elif accent == "\N{COMBINING CEDILLA}":
        pen.line((middle, high + 12 * unit, middle - unit, high + 14 * unit), fill="black", width=thick)
    else:
        lean = -2 if accent == "\N{COMBINING GRAVE ACCENT}" else 2
        pen.line((middle - lean * unit, high + 2 * unit, middle + lean * unit, high), fill="black", width=thick)

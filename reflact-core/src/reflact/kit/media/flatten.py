"""Every colour mode as 8 bits of grey or RGB: transparency on white, 16 bits scaled, palettes resolved."""

from __future__ import annotations

from PIL import Image

_ORIENTATION = 0x0112


def is_clear(image: Image.Image) -> bool:
    """Whether anything of *image* is transparent."""
    if image.mode in ("RGBA", "LA", "PA"):
        low, _ = image.getchannel("A").getextrema()
        return isinstance(low, int | float) and low < 255
    return "transparency" in image.info


def is_turned(image: Image.Image) -> bool:
    """Whether the EXIF data of *image* say that it lies on its side, on its head or is mirrored."""
    return image.getexif().get(_ORIENTATION, 1) in range(2, 9)


def flat(image: Image.Image) -> Image.Image:
    """Return *image* as L or RGB with 8 bits, transparency on white, without what its file told beside the pixels."""
    if image.mode in ("I", "F") or image.mode.startswith("I;16"):
        made = _eight_bits(image)
    elif is_clear(image):
        shown = image.convert("RGBA")
        made = Image.new("RGB", image.size, "white")
        made.paste(shown, mask=shown.getchannel("A"))
    else:
        mode = "L" if image.mode in ("1", "L", "LA") else "RGB"
        made = image if image.mode == mode else image.convert(mode)
    made.info = {}
    return made


def _eight_bits(image: Image.Image) -> Image.Image:
    """Scale grey values to 0..255: 16-bit values by 257, others by what they span."""
    wide = image if image.mode in ("I", "F") else image.convert("I")
    low, high = (float(one) for one in wide.getextrema() if isinstance(one, int | float))
    if image is not wide:
        low, high = 0.0, 65535.0
    elif low >= 0 and high <= 65535:
        low, high = 0.0, 255.0 if high <= 255 else 65535.0
    factor = 255.0 / ((high - low) or 1.0)
    return wide.point(lambda value: value * factor + (-low * factor)).convert("L")

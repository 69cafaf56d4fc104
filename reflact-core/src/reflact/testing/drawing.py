"""Pictures to test with, encoded in memory, some of them meant to do harm. Needs Pillow."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

from PIL import Image


def encoded(image: Image.Image, form: str = "PNG", **options: Any) -> bytes:
    """Return *image* as a file of the format *form*, with the *options* of Pillow's `save`."""
    out = io.BytesIO()
    image.save(out, form, **options)
    return out.getvalue()


def noise(width: int = 64, height: int = 48) -> Image.Image:
    """Return a picture of *width* x *height* pixels that hardly compresses; another one each time."""
    return Image.effect_noise((width, height), 90).convert("RGB")


def picture(data: bytes) -> Image.Image:
    """Return the decoded picture in *data*."""
    image = Image.open(io.BytesIO(data))
    image.load()
    return image


def png_bomb(width: int, height: int) -> bytes:
    """Return a PNG whose header promises *width* x *height* pixels, and whose data are a few bytes."""
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(b"\0" * 64)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, body) for kind, body in parts)


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

"""Encoding an image so that it fits what a model takes."""

from __future__ import annotations

import io
from dataclasses import dataclass
from math import sqrt

from PIL import Image

from reflact.kit.media.header import MEDIA_TYPES, Kind
from reflact.kit.media.policy import Send

_QUALITIES = (90, 80, 65)
_SMALLER = 0.75


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoded:
    """An image as it is sent, and what was done to it to get there."""

    data: bytes
    media_type: str
    width: int
    height: int
    changed: tuple[str, ...] = ()


def fit(size: tuple[int, int], send: Send) -> tuple[int, int]:
    """Return *size*, scaled down as a whole to what *send* allows."""
    width, height = size
    scale = min(
        1.0,
        send.side / max(width, height) if send.side else 1.0,
        sqrt(send.pixels / (width * height)) if send.pixels else 1.0,
    )
    return (max(1, int(width * scale)), max(1, int(height * scale))) if scale < 1 else size


def encode(image: Image.Image, send: Send, *, lossy: bool) -> Encoded:
    """Return *image* (L or RGB) as PNG, or as JPEG where it came as one (*lossy*) or a PNG would be too large.

    What is too large at every quality is scaled down until it fits.
    """
    tries: list[tuple[Kind, dict[str, int]]] = [("JPEG", {"quality": quality}) for quality in _QUALITIES]
    for kind, options in tries if lossy else [("PNG", {"compress_level": 4}), *tries]:
        out = io.BytesIO()
        image.save(out, kind, **options)
        data = out.getvalue()
        if not send.image_bytes or len(data) <= send.image_bytes or max(image.size) == 1:
            return Encoded(data=data, media_type=MEDIA_TYPES[kind], width=image.width, height=image.height)
    width, height = (max(1, int(side * _SMALLER)) for side in image.size)
    return encode(image.resize((width, height), Image.Resampling.LANCZOS), send, lossy=lossy)

"""Decoding with Pillow, one known format at a time, and only what has to be."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import BinaryIO

from PIL import (
    BmpImagePlugin,
    GifImagePlugin,
    Image,
    ImageOps,
    JpegImagePlugin,
    PngImagePlugin,
    TiffImagePlugin,
    WebPImagePlugin,
)
from PIL.ImageFile import ImageFile

from reflact.errors import DataError
from reflact.kit.media.encode import Encoded, encode, fit
from reflact.kit.media.flatten import flat, is_clear, is_turned
from reflact.kit.media.header import MEDIA_TYPES, Kind, cut_short, sniff, webp_size
from reflact.kit.media.policy import Accept, Send

_READERS: Mapping[Kind, type[ImageFile]] = {
    "PNG": PngImagePlugin.PngImageFile,
    "JPEG": JpegImagePlugin.JpegImageFile,
    "GIF": GifImagePlugin.GifImageFile,
    "WEBP": WebPImagePlugin.WebPImageFile,
    "BMP": BmpImagePlugin.BmpImageFile,
    "TIFF": TiffImagePlugin.TiffImageFile,
}
_BROKEN = (
    OSError,
    SyntaxError,
    ValueError,
    TypeError,
    LookupError,
    EOFError,
    ArithmeticError,
    struct.error,
    zlib.error,
    Image.DecompressionBombError,
)
_PLAIN = frozenset({"1", "L", "P", "RGB", "RGBA", "LA"})


def examine(file: BinaryIO, size: int, name: str, accept: Accept) -> Kind:
    """Return the format of *file*, of *size* bytes, from its header and its end; nothing is decoded.

    Raises `DataError` for what is no image, is larger than *accept* allows, or is cut short.
    """
    if not size:
        raise DataError(f"image {name}: the file is empty")
    if size > accept.file_bytes:
        raise DataError(f"image {name}: {size} bytes, more than env.image_max_file_bytes={accept.file_bytes}")
    start = file.read(32)
    kind = sniff(start)
    if kind is None:
        raise DataError(f"image {name}: not a PNG, JPEG, GIF, WebP, BMP or TIFF, whatever its name says; convert it")
    bounds = webp_size(start) if kind == "WEBP" else _opened(file, kind, name).size
    if bounds is None:
        raise DataError(f"image {name}: a broken WebP header")
    width, height = bounds
    if width * height > accept.pixels:
        told = f"{width}x{height} pixels, more than env.image_max_pixels={accept.pixels}"
        raise DataError(f"image {name}: {told}; scale it down, or raise the limit if it is no trap")
    if cut_short(file, kind, size):
        raise DataError(f"image {name}: the {kind} file is truncated; fetch it again")
    return kind


def prepare(data: bytes, name: str, accept: Accept, send: Send) -> Encoded:
    """Return *data* as it may be sent: untouched where it is fine already, else decoded, scaled and encoded anew.

    Turned upright after its EXIF data, first frame, transparency on white, 8 bits per channel. Raises `DataError`
    like `examine`, and for data that cannot be decoded.
    """
    kind = examine(io.BytesIO(data), len(data), name, accept)
    image: Image.Image = _opened(io.BytesIO(data), kind, name)
    size, fitting = image.size, fit(image.size, send)
    try:
        reasons = [*_as_a_file(image, kind, len(data), send)]
        if isinstance(image, JpegImagePlugin.JpegImageFile) and fitting != size:
            image.draft(None, fitting)
        image.load()
        reasons += _as_a_picture(image)
        if not reasons and fitting == size:
            return Encoded(data=data, media_type=MEDIA_TYPES[kind], width=size[0], height=size[1])
        if is_turned(image):
            image = ImageOps.exif_transpose(image)
        plain = flat(image)
    except _BROKEN as error:
        raise DataError(f"image {name}: the {kind} file cannot be decoded ({error}); fetch it again") from error
    small = plain.resize(fit(plain.size, send), Image.Resampling.LANCZOS, reducing_gap=1.5)
    made = encode(small, send, lossy=kind == "JPEG")
    if {made.width, made.height} != set(size):
        reasons.append(f"{size[0]}x{size[1]} to {made.width}x{made.height}")
    if made.media_type != MEDIA_TYPES[kind]:
        reasons.append(f"{kind} to {made.media_type}")
    return replace(made, changed=tuple(reasons))


def _as_a_file(image: Image.Image, kind: Kind, n_bytes: int, send: Send) -> Iterator[str]:
    """Say why the file of *image* cannot be sent as it is."""
    frames = getattr(image, "n_frames", 1)
    if frames > 1:
        yield f"first of {frames} frames"
    if send.image_bytes and n_bytes > send.image_bytes:
        yield f"{n_bytes} bytes made fewer"
    if MEDIA_TYPES[kind] not in send.media_types:
        yield f"{kind} not taken"


def _as_a_picture(image: Image.Image) -> Iterator[str]:
    """Say what of *image*, which is loaded, is not shown alike everywhere."""
    if is_turned(image):
        yield "turned upright"
    if image.mode not in _PLAIN:
        yield f"{image.mode} to 8 bits"
    if is_clear(image):
        yield "on white"


def _opened(file: BinaryIO, kind: Kind, name: str) -> ImageFile:
    """Open with the plugin of the format alone; it reads the header, and no other plugin sees the file."""
    file.seek(0)
    try:
        return _READERS[kind](file, name)
    except _BROKEN as error:
        raise DataError(f"image {name}: a broken {kind} header ({error})") from error

"""What the first and last bytes of an image tell: its format, a WebP's size, and whether the end is missing."""

from __future__ import annotations

from typing import BinaryIO, Literal

Kind = Literal["PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF"]
MEDIA_TYPES: dict[Kind, str] = {
    "PNG": "image/png",
    "JPEG": "image/jpeg",
    "GIF": "image/gif",
    "WEBP": "image/webp",
    "BMP": "image/bmp",
    "TIFF": "image/tiff",
}
_STARTS: tuple[tuple[bytes, Kind], ...] = (
    (b"\x89PNG\r\n\x1a\n", "PNG"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"GIF87a", "GIF"),
    (b"GIF89a", "GIF"),
    (b"BM", "BMP"),
    (b"II*\0", "TIFF"),
    (b"MM\0*", "TIFF"),
)
_ENDS: dict[Kind, bytes] = {"PNG": b"IEND", "JPEG": b"\xff\xd9"}
_TAIL = 64 * 1024


def sniff(start: bytes) -> Kind | None:
    """Return the format of an image that begins with *start* (16 bytes do), None when it is none of ours."""
    if start[:4] == b"RIFF" and start[8:12] == b"WEBP":
        return "WEBP"
    return next((kind for magic, kind in _STARTS if start.startswith(magic)), None)


def webp_size(start: bytes) -> tuple[int, int] | None:
    """Return width and height of a WebP from its first 30 bytes, None when they do not tell.

    A decoder would set aside memory for the whole picture merely to open it.
    """
    form = start[12:16]
    if len(start) < 30:
        return None
    if form == b"VP8X":
        return 1 + int.from_bytes(start[24:27], "little"), 1 + int.from_bytes(start[27:30], "little")
    if form == b"VP8L":
        bits = int.from_bytes(start[21:25], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if form == b"VP8 ":
        return int.from_bytes(start[26:28], "little") & 0x3FFF, int.from_bytes(start[28:30], "little") & 0x3FFF
    return None


def cut_short(file: BinaryIO, kind: Kind, size: int) -> bool:
    """Return whether the image *file* of *size* bytes certainly lacks its end; the rest decoding tells."""
    if kind == "WEBP":
        file.seek(4)
        return int.from_bytes(file.read(4), "little") + 8 > size
    end = _ENDS.get(kind)
    if end is None:
        return False
    file.seek(max(0, size - _TAIL))
    if end in file.read():
        return False
    file.seek(0)
    return end not in file.read()

"""Images in a workspace: files with neutral names and true types, and a page that says which is which."""

from __future__ import annotations

from collections.abc import Sequence

from reflact.types import Image

FOLDER = "attachments"
PAGE = "ATTACHMENTS.md"

_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpg"),
    (b"GIF87a", "gif"),
    (b"GIF89a", "gif"),
    (b"BM", "bmp"),
    (b"II*\x00", "tiff"),
    (b"MM\x00*", "tiff"),
    (b"%PDF-", "pdf"),
)
_NAMED = {"image/svg+xml": "svg", "image/jpeg": "jpg"}


def extension(image: Image) -> str:
    """Return the file extension of *image* by its first bytes; by its media type where they say nothing."""
    if image.data[:4] == b"RIFF" and image.data[8:12] == b"WEBP":
        return "webp"
    for magic, name in _MAGIC:
        if image.data.startswith(magic):
            return name
    kind = image.media_type.partition(";")[0].strip().lower()
    plain = kind.rpartition("/")[2]
    return _NAMED.get(kind, plain if plain.isalnum() else "bin")


def names(images: Sequence[Image]) -> tuple[str, ...]:
    """Return a path for each image, relative to the workspace: `attachments/01.png`. The label is not part of it."""
    return tuple(f"{FOLDER}/{place:02d}.{extension(image)}" for place, image in enumerate(images, start=1))


def page(images: Sequence[Image]) -> str:
    """Return the text of ATTACHMENTS.md: which file is which image of the task."""
    lines = [
        f"- {' '.join(image.label.split()) or f'Image {place}'}: `{name}`"
        for place, (image, name) in enumerate(zip(images, names(images), strict=True), start=1)
    ]
    return "\n".join(["# Attachments", "", *lines, ""])

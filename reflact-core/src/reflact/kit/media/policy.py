"""What an image may be to be read, and what it may be when it is sent."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Accept:
    """Bounds on a file, looked at before anything is decoded."""

    file_bytes: int = 64 * 1024 * 1024
    pixels: int = 50_000_000
    """Width times height as the header tells them; the largest page of DocVQA has 38.6 million."""


ACCEPT = Accept()


@dataclass(frozen=True, slots=True, kw_only=True)
class Send:
    """Bounds on what goes to a model; 0 sets none. Sides are pixels, sizes are bytes before base64."""

    media_types: frozenset[str] = frozenset({"image/png", "image/jpeg", "image/webp", "image/gif"})
    side: int = 0
    """The longer side."""
    pixels: int = 0
    image_bytes: int = 0
    request_bytes: int = 0
    """All images of a request together, as base64."""
    images: int = 0
    """Images in one request."""
    many: int = 0
    """With more images than this, `many_side` bounds their sides."""
    many_side: int = 0


LIMITS: Mapping[str, Send] = {
    "any": Send(side=8000, image_bytes=3_750_000, request_bytes=20_000_000, images=100, many=20, many_side=2000),
    "anthropic": Send(side=8000, image_bytes=3_750_000, request_bytes=30_000_000, images=100, many=20, many_side=2000),
    "openai": Send(image_bytes=15_000_000, request_bytes=45_000_000, images=500),
    "open_weights": Send(
        media_types=frozenset({"image/png", "image/jpeg"}), side=4096, image_bytes=7_500_000, request_bytes=20_000_000
    ),
    "none": Send(),
}
"""What providers take, by name; `any` is what all of them take."""

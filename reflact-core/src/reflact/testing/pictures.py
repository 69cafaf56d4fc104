"""The pictures in a call to the fake server, as bytes, in the order they came."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator, Mapping
from typing import Any

from reflact.testing.server import FakeRequest
from reflact.types import Image


def pictures_of(request: FakeRequest) -> tuple[Image, ...]:
    """Return the images of *request*, whichever protocol it came by; a label is the text part before the image."""
    return tuple(picture for message in request.messages for picture in _pictures(message.get("content")))


def marks_of(request: FakeRequest) -> tuple[int | None, ...]:
    """Return the number marked in each image of *request* (see `reflact.kit.media.watermark`). Needs Pillow."""
    from reflact.kit.media.watermark import read_mark

    return tuple(read_mark(picture.data) for picture in pictures_of(request))


def _pictures(content: Any) -> Iterator[Image]:
    before = ""
    for part in content if isinstance(content, list) else ():
        encoded = _encoded(part)
        if encoded:
            media_type, data = encoded
            label = before[1:-1] if before.startswith("[") and before.endswith("]") else ""
            yield Image(data=b64decode(data, validate=True), media_type=media_type, label=label)
        before = str(part.get("text") or "")


def _encoded(part: Mapping[str, Any]) -> tuple[str, str] | None:
    if part.get("type") in ("image_url", "input_image"):
        url = part["image_url"]
        head, _, data = str(url["url"] if isinstance(url, Mapping) else url).partition(";base64,")
        return head.removeprefix("data:"), data
    if part.get("type") == "image":
        return str(part["source"]["media_type"]), str(part["source"]["data"])
    return None

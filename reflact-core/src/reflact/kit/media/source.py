"""Where an image is: a path below the data, a data URL, or a record with the bytes in it."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from typing import Any

from reflact.errors import DataError

Source = str | Mapping[str, Any]
"""What `Task.data` holds of an image; JSON. A mapping has `bytes` (base64), `path`, or both, as `datasets` has them."""

_DATA_URL = re.compile(r"data:[\w.+/-]*(?:;[\w=.+-]+)*;base64,", re.IGNORECASE)


def as_source(value: object) -> Source:
    """Return *value*, an image field of a raw record, as a `Source`; raises `DataError` for what is none.

    Bytes become base64, so that a task stays JSON. A decoded image is refused: it would be held for the whole run.
    """
    if isinstance(value, bytes | bytearray):
        return {"bytes": base64.b64encode(value).decode("ascii")}
    if isinstance(value, str) and value.strip():
        return value.strip()
    if isinstance(value, Mapping) and (value.get("bytes") or value.get("path")):
        inside = value.get("bytes")
        encoded = base64.b64encode(inside).decode("ascii") if isinstance(inside, bytes | bytearray) else inside
        return {name: one for name, one in (("bytes", encoded), ("path", value.get("path"))) if one}
    if value is None or value == "" or (isinstance(value, str) and not value.strip()):
        raise DataError("no image: a path, a data URL, or {bytes, path} is needed")
    raise DataError(f"an image must be a path, a data URL, or {{bytes, path}}, not {type(value).__name__}")


def named(source: Source) -> str:
    """Return a short name of *source* for messages and records."""
    if isinstance(source, str):
        return "data URL" if _DATA_URL.match(source) else source
    return str(source.get("path") or "inline image")


def inline(source: Source) -> bytes | None:
    """Return the bytes that *source* itself holds, None when it names a file. Raises `DataError` for bad base64."""
    text = source if isinstance(source, str) else source.get("bytes")
    if isinstance(source, str):
        match = _DATA_URL.match(source)
        if match is None:
            return None
        text = source[match.end() :]
    if text is None:
        return None
    try:
        return base64.b64decode("".join(str(text).split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise DataError(f"{named(source)}: the image is not base64: {error}") from error


def path_of(source: Source) -> str:
    """Return the path that *source* names."""
    return source if isinstance(source, str) else str(source.get("path") or "")

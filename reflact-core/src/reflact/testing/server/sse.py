"""Server-sent events on the wire."""

import json
from collections.abc import Mapping
from typing import Any


def event(data: Mapping[str, Any] | str, *, named: bool = False) -> bytes:
    """Return one event; with *named*, its name is the `type` of *data*."""
    line = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    name = f"event: {data['type']}\n" if named and not isinstance(data, str) else ""
    return f"{name}data: {line}\n\n".encode()

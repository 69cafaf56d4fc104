"""What HTTP libraries log about calls: addresses without their queries, which may hold a key."""

from __future__ import annotations

import logging
import re
from typing import Any

_QUERY = re.compile(r"(?<=[\w/])\?[^\s\"']*")


def without_queries(*loggers: str) -> None:
    """Have the *loggers* of these names leave the queries of addresses out of their records, from now on."""
    for name in loggers:
        logging.getLogger(name).addFilter(_FILTER)


class _WithoutQueries(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(_bare(one) for one in record.args)
        return True


_FILTER = _WithoutQueries()


def _bare(given: Any) -> Any:
    """Return *given*; an address, or the path of one, as a text without its query."""
    if isinstance(given, int | float | None):
        return given
    text = str(given)
    return _QUERY.sub("", text) if text.startswith(("/", "http://", "https://")) else given

"""Which of the retrieved documents the student sees."""

import re
from typing import NamedTuple

MARK = " […]"


class Window(NamedTuple):
    """The context shown, and whether something was left out."""

    text: str
    truncated: bool


def window(context: str, limit: int) -> Window:
    """Return as many whole `[DOC]` blocks of *context* as fit *limit* characters, in order; a limit of 0 takes all.

    A block that does not fit is passed over and later ones are still tried. Where none fits, the first is cut and
    marked. The result is never longer than *limit*.
    """
    if not limit or len(context) <= limit:
        return Window(context, truncated=False)
    blocks = [block for block in re.split(r"(?=\[DOC\])", context) if block.strip()] or [""]
    kept: list[str] = []
    room = limit
    for block in blocks:
        if len(block) <= room:
            kept.append(block)
            room -= len(block)
    if kept:
        return Window("".join(kept).rstrip(), truncated=True)
    return Window((blocks[0][: max(limit - len(MARK), 0)] + MARK)[:limit], truncated=True)

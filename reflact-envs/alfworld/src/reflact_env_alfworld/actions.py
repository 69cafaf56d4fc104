"""From a reply to one action: the last `<action>` tag, and what was thought before it."""

import re
from typing import NamedTuple

from reflact.kit.answers import without_reasoning

_OPEN = re.compile(r"<action(?:\s[^<>]*)?>", re.IGNORECASE)
_CLOSE = re.compile(r"</action\s*>", re.IGNORECASE)
_THOUGHT = re.compile(r"<think(?:ing)?\s*>(.*?)(?:</think(?:ing)?\s*>|\Z)", re.IGNORECASE | re.DOTALL)


class Move(NamedTuple):
    """What a reply comes to: a command in lower case, `None` without one, and the reasoning."""

    command: str | None
    reasoning: str


def move_of(reply: str) -> Move:
    """Return the last action of *reply*, in lower case as the games write it, white space made single.

    Tags inside `<think>` are thoughts. A tag that is never closed ends with its line. An empty one is no action.
    """
    said = without_reasoning(reply) or reply
    thought = " ".join(part.strip() for part in _THOUGHT.findall(reply)) or _OPEN.split(said)[0]
    opened = list(_OPEN.finditer(said))
    if not opened:
        return Move(None, thought.strip())
    rest = said[opened[-1].end() :]
    closed = _CLOSE.search(rest)
    text = rest[: closed.start()] if closed else rest.strip().partition("\n")[0]
    return Move(" ".join(text.split()).lower() or None, thought.strip())

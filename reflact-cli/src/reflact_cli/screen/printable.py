"""Text of models and servers is shown; what would steer a terminal is not."""

import re

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def printable(text: str) -> str:
    """Return *text* without control characters; line ends and tabs stay."""
    return _CONTROL.sub("", text.replace("\r\n", "\n"))

"""Telling what a server said: short, and with no key in it. What every backend's error messages share."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

MAX_SHOWN = 400
"""Characters of a server's message that are shown."""

_KEYLIKE = re.compile(r"\b(?:sk|pk|rk)-[\w*.-]{4,}|(?<=Bearer )[^\s\"']+")


def redactor(secrets: Iterable[str]) -> Callable[[str], str]:
    """Return a function that masks *secrets*, and whatever looks like a key, in a text."""
    known = sorted((secret for secret in secrets if len(secret) > 5), key=len, reverse=True)

    def redact(text: str) -> str:
        for secret in known:
            text = text.replace(secret, "***")
        return _KEYLIKE.sub("***", text)

    return redact


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield *error* and what caused it, the first cause last."""
    while error is not None:
        yield error
        error = error.__cause__


def squeezed(told: Any) -> str:
    """Return *told*, a text or JSON data, on one line and at most 400 characters long."""
    text = told if isinstance(told, str) else json.dumps(told, ensure_ascii=False, default=str) if told else ""
    text = " ".join(text.split())
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"

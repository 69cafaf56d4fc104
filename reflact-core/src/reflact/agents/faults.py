"""From the words an agent's program fails with to the fault they tell of."""

from __future__ import annotations

import re

from reflact.errors import BackendFault

_TELLS: tuple[tuple[BackendFault, str], ...] = (
    (
        "quota",
        r"usage limit|out of (?:extra )?(?:usage|credits?)|quota exceeded|exceeded your current quota|credit balance"
        r"|insufficient.?(?:quota|balance|credit|funds)|billing|402 payment",
    ),
    (
        "auth",
        r"\b401\b|\b403\b|unauthori[sz]ed|forbidden|not logged in|please (?:log|sign) in|/login|run `?codex login"
        r"|login required|invalid.{0,12}(?:api.?key|token|credentials?)|authentication|missing environment variable"
        r"|refresh token|session (?:has )?expired",
    ),
    ("rate_limit", r"\b429\b|rate.?limit|too many requests"),
    ("context", r"context.?(?:length|window|size)|prompt is too long|maximum context|input exceeds|\b413\b"),
    ("timeout", r"timed? ?out|\b408\b|\b504\b|deadline"),
    (
        "unavailable",
        r"\b5\d\d\b|overloaded|high demand|connection|connect error|error sending request|stream disconnected|network"
        r"|unavailable|reset by peer|dns",
    ),
    (
        "bad_request",
        r"\b400\b|\b404\b|\b422\b|invalid_request|not supported|not found|does not exist|unknown model"
        r"|error loading config",
    ),
)


def fault_of(told: str, *, default: BackendFault = "unavailable") -> BackendFault:
    """Return the fault that the message *told* is about; *default* when it says nothing known."""
    return next((fault for fault, words in _TELLS if re.search(words, told, re.IGNORECASE)), default)

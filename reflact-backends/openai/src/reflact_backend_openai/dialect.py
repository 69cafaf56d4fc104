"""What a server turned out not to take, learnt from its own complaints, so that each is met once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

LIMITS = ("max_completion_tokens", "max_tokens")
OPTIONAL = (*LIMITS, "temperature", "reasoning_effort", "response_format")
"""Parameters a reply is still worth having without."""

_TOO_LARGE = re.compile(
    r"too large|too high|at most|above max|exceed|less than or equal|in the completion", re.IGNORECASE
)
_SCHEMA = re.compile(r"json.?schema|json.?object|structured.?output|grammar", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Complaint:
    """What the body of a 4xx reply says."""

    message: str
    code: str = ""
    kind: str = ""
    param: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """The parameters one server takes for one model.

    `limits` are the names of the token limit, in the order they are tried. A `response_format` is refused by type:
    `response_format:json_schema`. Token limits from `too_large` up are left out.
    """

    limits: tuple[str, ...] = LIMITS
    refused: frozenset[str] = frozenset()
    too_large: int | None = None

    def takes(self, name: str) -> bool:
        """Return whether *name* has not been refused."""
        return name not in self.refused

    def limit(self, tokens: int | None) -> dict[str, int]:
        """Return the body field that limits a reply to *tokens*; none when the server takes none."""
        if tokens is None or (self.too_large is not None and tokens >= self.too_large):
            return {}
        name = next(filter(self.takes, self.limits), None)
        return {name: tokens} if name else {}

    def __or__(self, other: Dialect) -> Dialect:
        """Return what both have learnt."""
        caps = [cap for cap in (self.too_large, other.too_large) if cap is not None]
        return replace(self, refused=self.refused | other.refused, too_large=min(caps, default=None))

    def after(self, complaint: Complaint, sent: Mapping[str, Any]) -> Dialect:
        """Return the dialect that avoids *complaint* about the body *sent*; itself when there is nothing to learn."""
        name = _culprit(complaint, sent)
        if name is None:
            return self
        if name in LIMITS and _TOO_LARGE.search(complaint.message):
            return replace(self, too_large=sent[name])
        if name == "response_format":
            name = f"response_format:{sent[name]['type']}"
        return replace(self, refused=self.refused | {name})


def _culprit(complaint: Complaint, sent: Mapping[str, Any]) -> str | None:
    """Return the optional parameter of *sent* that *complaint* is about."""
    candidates = [name for name in OPTIONAL if name in sent]
    named = re.split(r"\W+", complaint.param)
    for name in candidates:
        if name in named:
            return name
    for name in candidates:
        if re.search(rf"\b{name}\b", complaint.message):
            return name
    if "response_format" in candidates and _SCHEMA.search(complaint.message):
        return "response_format"
    if "in the completion" in complaint.message:
        return next((name for name in candidates if name in LIMITS), None)
    return None

"""What a server turned out not to take, learnt from its own complaints, so that each is met once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

EFFORT, FORMAT, CACHING = "output_config.effort", "output_config.format", "cache_control"
LEFT_OUT: Mapping[str, str] = {"effort": EFFORT, "schema": FORMAT}
"""What each entry of `leave_out` stands for on the wire."""

_SIGNS: Mapping[str, re.Pattern[str]] = {
    EFFORT: re.compile(r"\beffort\b", re.IGNORECASE),
    FORMAT: re.compile(r"output.?format|output_config\.format|structured.?output|json.?schema|grammar", re.IGNORECASE),
    CACHING: re.compile(r"cache_control|prompt.?caching", re.IGNORECASE),
}
_WHOLE = re.compile(r"output_config")
_TOO_LARGE = re.compile(r"max_tokens\D{0,20}\d+ > (\d+), which is the maximum")


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """What one server takes for one model: fields it `refused`, and the `most` tokens it writes in one reply.

    A `roomy` model needs more tokens than a request thinks, since it spends them before it says a word.
    """

    refused: frozenset[str] = frozenset()
    most: int | None = None
    roomy: bool = False

    def takes(self, name: str) -> bool:
        """Return whether *name* has not been refused."""
        return name not in self.refused

    def limit(self, tokens: int) -> int:
        """Return the token limit to send where *tokens* are wanted."""
        return tokens if self.most is None else min(tokens, self.most)

    def __or__(self, other: Dialect) -> Dialect:
        """Return what both have learnt."""
        known = [most for most in (self.most, other.most) if most is not None]
        refused = self.refused | other.refused
        return Dialect(refused=refused, most=min(known, default=None), roomy=self.roomy or other.roomy)

    def roomier(self) -> Dialect:
        """Return the dialect with more room for thoughts."""
        return replace(self, roomy=True)

    def without(self, left_out: Iterable[str]) -> Dialect:
        """Return the dialect that never sends what the entries *left_out* stand for."""
        return replace(self, refused=self.refused | {LEFT_OUT[one] for one in left_out})

    def after(self, message: str, sent: Mapping[str, Any]) -> Dialect:
        """Return the dialect that avoids the complaint *message* about the body *sent*; itself when it cannot."""
        if found := _TOO_LARGE.search(message):
            most = int(found[1])
            return replace(self, most=most) if 0 < most < sent["max_tokens"] else self
        optional = _optional(sent)
        culprits = [name for name in optional if _SIGNS[name].search(message)]
        if not culprits and _WHOLE.search(message):
            culprits = [name for name in optional if name != CACHING]
        return replace(self, refused=self.refused | frozenset(culprits))


def _optional(sent: Mapping[str, Any]) -> list[str]:
    """Return the fields of *sent* that a reply is still worth having without."""
    found = [f"output_config.{name}" for name in sent.get("output_config", {})]
    return [*found, CACHING] if any(CACHING in block for block in sent.get("system", ())) else found

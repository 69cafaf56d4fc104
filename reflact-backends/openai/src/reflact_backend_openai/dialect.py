"""What a server turned out not to take, learnt from its own complaints, so that each is met once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from reflact.llm.http import Complaint

from reflact_backend_openai.endpoint import Api

LIMITS = ("max_completion_tokens", "max_tokens")
OUTPUT_LIMIT = "max_output_tokens"
OPTIONAL = (*LIMITS, OUTPUT_LIMIT, "temperature", "reasoning_effort", "response_format", "reasoning", "text", "store")
"""Parameters a reply is still worth having without, of either API."""
FORMATS = ("json_schema", "json_object")
LEFT_OUT: Mapping[str, tuple[str, ...]] = {
    "temperature": ("temperature",),
    "effort": ("reasoning_effort", "reasoning"),
    "max_tokens": (*LIMITS, OUTPUT_LIMIT),
    "schema": tuple(f"{name}:{kind}" for name in ("response_format", "text") for kind in FORMATS),
    "store": ("store",),
}
"""What each entry of `leave_out` stands for on the wire."""

_WORDS = frozenset({"reasoning", "text", "store"})
"""Parameters that are also words: a message names them only in quotes."""
_TOO_LARGE = re.compile(
    r"too large|too high|at most|above max|exceed|less than or equal|in the completion", re.IGNORECASE
)
_SCHEMA = re.compile(r"json.?schema|json.?object|structured.?output|grammar", re.IGNORECASE)
_RESPONSES = re.compile(r"v1/responses|\bresponses (?:api|endpoint)|not a chat model", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """The API and the parameters one server takes for one model.

    `limits` are the names of the token limit in Chat Completions, in the order they are tried. A format is refused by
    type: `response_format:json_schema`. Token limits from `too_large` up are left out. A `roomy` model needs more
    tokens than a request thinks, since it spends them before it says a word.
    """

    api: Api = "chat"
    limits: tuple[str, ...] = LIMITS
    refused: frozenset[str] = frozenset()
    too_large: int | None = None
    roomy: bool = False

    def takes(self, name: str) -> bool:
        """Return whether *name* has not been refused."""
        return name not in self.refused

    def limit(self, tokens: int | None) -> dict[str, int]:
        """Return the body field that limits a reply to *tokens*; none when the server takes none."""
        if tokens is None or (self.too_large is not None and tokens >= self.too_large):
            return {}
        names = self.limits if self.api == "chat" else (OUTPUT_LIMIT,)
        name = next(filter(self.takes, names), None)
        return {name: tokens} if name else {}

    def format(self, parameter: str) -> str | None:
        """Return the best type of *parameter* that the server takes."""
        return next((kind for kind in FORMATS if self.takes(f"{parameter}:{kind}")), None)

    def hosted(self, tool: str) -> str:
        """Return what the server calls its own *tool*: at Azure's older versions it was a preview."""
        return tool if self.takes(tool) else f"{tool}_preview"

    def roomier(self) -> Dialect:
        """Return the dialect with more room for thoughts."""
        return replace(self, roomy=True)

    def without(self, left_out: Iterable[str]) -> Dialect:
        """Return the dialect that never sends what the entries *left_out* stand for."""
        names = (name for one in left_out for name in LEFT_OUT[one])
        return replace(self, refused=self.refused | frozenset(names))

    def __or__(self, other: Dialect) -> Dialect:
        """Return what both have learnt."""
        caps = [cap for cap in (self.too_large, other.too_large) if cap is not None]
        return replace(
            self,
            api="responses" if "responses" in (self.api, other.api) else "chat",
            refused=self.refused | other.refused,
            too_large=min(caps, default=None),
            roomy=self.roomy or other.roomy,
        )

    def after(self, complaint: Complaint, sent: Mapping[str, Any]) -> Dialect:
        """Return the dialect that avoids *complaint* about the body *sent*; itself when there is nothing to learn."""
        name = _previewed(complaint, sent) or _culprit(complaint, sent)
        if name is None:
            return self
        if name in (*LIMITS, OUTPUT_LIMIT) and _TOO_LARGE.search(complaint.message):
            return replace(self, too_large=sent[name])
        if name in ("response_format", "text"):
            form = sent[name] if name == "response_format" else sent[name]["format"]
            name = f"{name}:{form['type']}"
        return replace(self, refused=self.refused | {name})


def wants_responses(complaint: Complaint) -> bool:
    """Return whether *complaint* says that the model answers by the Responses API only."""
    return bool(_RESPONSES.search(complaint.message))


def _previewed(complaint: Complaint, sent: Mapping[str, Any]) -> str | None:
    """Return the tool of *sent* that the server knows as a preview only, by the list of names in its complaint."""
    tools = (str(one.get("type")) for one in sent.get("tools") or ())
    return next((one for one in tools if f"{one}_preview" in complaint.message), None)


def _culprit(complaint: Complaint, sent: Mapping[str, Any]) -> str | None:
    """Return the optional parameter of *sent* that *complaint* is about."""
    candidates = [name for name in OPTIONAL if name in sent]
    named = re.split(r"\W+", complaint.param)
    for name in candidates:
        if name in named:
            return name
    for name in candidates:
        quote = r"['\"`]" if name in _WORDS else r"\b"
        if re.search(rf"{quote}{name}\b", complaint.message):
            return name
    if _SCHEMA.search(complaint.message):
        return next((name for name in candidates if name in ("response_format", "text")), None)
    if "in the completion" in complaint.message:
        return next((name for name in candidates if name in LIMITS), None)
    return None

"""Gather the chunks of one generation, and stop it at its deadline."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reflact.errors import BackendError, BackendFault

FAULTS: Mapping[str, BackendFault] = {"invalid_request_error": "bad_request", "unavailable_error": "unavailable"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """A finished generation; counts in tokens, `cached` being part of `prompt`."""

    text: str
    finish: str
    prompt: int
    cached: int
    completion: int


class Stream:
    """The chunks of one generation, which may take *timeout_s* seconds from now on."""

    def __init__(self, *, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        self._deadline = time.monotonic() + timeout_s
        self._late = False
        self._pieces: list[str] = []
        self._finish = ""
        self._usage: Mapping[str, Any] = {}
        self._error: Mapping[str, Any] = {}

    def take(self, chunk: Mapping[str, Any]) -> bool:
        """Keep what *chunk* says; return True when the generation must stop."""
        self._error = chunk.get("error") or self._error
        self._usage = chunk.get("usage") or self._usage
        for choice in chunk.get("choices", ()):
            self._pieces.append(choice["delta"].get("content") or "")
            self._finish = choice["finish_reason"] or self._finish
        self._late = not self._finish and not self._error and time.monotonic() > self._deadline
        return self._late

    def completion(self) -> Completion:
        """Return the finished generation. Raises `BackendError` when it was late, refused or broken off."""
        if self._late:
            raise BackendError(
                f"no complete reply within {self._timeout_s:g} s. Raise timeout_s, lower max_tokens, or set threads "
                "to the number of cores that are really free.",
                fault="timeout",
            )
        if self._error.get("type") == "exceed_context_size_error":
            raise BackendError(
                f"the prompt has {self._error['n_prompt_tokens']} tokens, the context holds {self._error['n_ctx']}. "
                "Raise `context`, or shorten the skill or the items.",
                fault="context",
            )
        if self._error:
            fault = FAULTS.get(str(self._error.get("type")), "protocol")
            raise BackendError(f"{self._error.get('message', self._error)}", fault=fault)
        if not self._finish or not self._usage:
            raise BackendError("the embedded server stopped in the middle of a reply", fault="protocol")
        return Completion(
            text="".join(self._pieces),
            finish=self._finish,
            prompt=self._usage["prompt_tokens"],
            cached=(self._usage.get("prompt_tokens_details") or {}).get("cached_tokens", 0),
            completion=self._usage["completion_tokens"],
        )

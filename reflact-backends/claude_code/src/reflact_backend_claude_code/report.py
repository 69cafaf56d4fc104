"""Wording what went wrong: what happened, where, and what to do; without keys, and with the server the user named."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from reflact.errors import BackendFault

from reflact_backend_claude_code.launch import NAME, Pass
from reflact_backend_claude_code.verdict import Verdict

_ADVICE: Mapping[BackendFault, str] = {
    "auth": "Check {place}, and what it may do.",
    "quota": "Nothing is left of what the account may spend; add to it or wait, then resume.",
    "rate_limit": "Use fewer workers, or raise `max_retries`.",
    "context": "Shorten the task or the skill, or use a model with a larger context.",
    "timeout": "Raise `timeout_s` for a model call, the env's `exec_timeout` for a task, or use fewer workers.",
    "unavailable": "Is {url} right, and the server running?",
    "bad_request": "Check `model` ({model}) and `base_url` ({url}).",
}


def worded(found: Verdict, let_in: Pass, *, model: str) -> str | None:
    """Return the error of *found* for the user to read; `None` when there is none."""
    if found.error is None:
        return None
    access = let_in.access
    ours, theirs = urlsplit(let_in.variables.get("ANTHROPIC_BASE_URL", "")).netloc, urlsplit(access.shown).netloc
    told = found.error.replace(ours, theirs) if ours and theirs else found.error
    advice = _ADVICE.get(found.fault, "") if found.fault else ""
    advice = advice.format(place=access.place, model=model, url=access.shown or "the provider")
    return let_in.secrets.in_error(f"{NAME}: {told.removesuffix('.')}. {advice}".rstrip())

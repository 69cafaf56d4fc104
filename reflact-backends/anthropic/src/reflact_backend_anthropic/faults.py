"""From what the SDK raises, or a server answers, to a `BackendError` that says what to do. Keys never get through."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import aiohttp
import anthropic
from reflact import BackendError
from reflact.errors import BackendFault
from reflact.llm.complaints import causes, squeezed

STATUS_OF: Mapping[str, int] = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}
"""The status that goes with each type of error, for one that comes without."""

_QUOTA = re.compile(
    r"credit balance|insufficient.?(?:quota|balance|credit|fund)|billing|usage limits|current quota", re.IGNORECASE
)
_CONTEXT = re.compile(
    r"prompt is too long|context.?(?:length|window|size|limit)|maximum context|too many (?:input )?tokens"
    r"|exceeds the maximum (?:size|allowed)",
    re.IGNORECASE,
)
_BY_STATUS: Mapping[int, BackendFault] = {
    401: "auth",
    402: "quota",
    403: "auth",
    408: "timeout",
    413: "context",
    429: "rate_limit",
    504: "timeout",
}
_ADVICE: Mapping[BackendFault, str] = {
    "auth": "Check the key ({key}) and what it may do.",
    "quota": "The account has no credit left; top it up, then resume.",
    "rate_limit": "Use fewer workers, or raise `max_retries`.",
    "context": "Shorten the prompt or the skill, lower `max_tokens`, or use a model with a larger context.",
    "timeout": "Raise `timeout_s`, or use fewer workers.",
}
_BY_STATUS_ADVICE: Mapping[int, str] = {
    404: "Check `model` ({model}) and `base_url`.",
    529: "The server is overloaded: use fewer workers, raise `max_retries`, or resume later.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Complaint:
    """What the body of a failed call says."""

    message: str
    kind: str = ""


def complaint_in(body: object) -> Complaint:
    """Return what the *body* of a failed call says, whichever server's form it has."""
    inner = body.get("error", body) if isinstance(body, dict) else body
    if not isinstance(inner, dict):
        return Complaint(message=squeezed(inner))
    told = inner.get("message") or inner.get("detail") or inner
    return Complaint(message=squeezed(told), kind=str(inner.get("type") or ""))


def is_quota(complaint: Complaint) -> bool:
    """Return whether *complaint* tells of used-up credit, which no waiting brings back."""
    return any(_QUOTA.search(text) for text in (complaint.kind, complaint.message))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reporter:
    """Words errors for one endpoint: `url` and `model` as the user set them, `key` where the key comes from."""

    url: str
    model: str
    key: str
    timeout_s: float
    redact: Callable[[str], str]

    def status(self, status: int, complaint: Complaint) -> BackendError:
        """Return the error for a reply with an error *status*."""
        fault = _fault(status, complaint)
        advice = _BY_STATUS_ADVICE.get(status) or _ADVICE.get(fault, "")
        told = f": {complaint.message}" if complaint.message else ""
        what = f"{status} from {self.url}{told}".removesuffix(".")
        return self._error(f"{what}.", advice.format(key=self.key, model=self.model), fault)

    def unreached(self, error: anthropic.APIConnectionError) -> BackendError:
        """Return the error for a call that got no reply at all."""
        chain = list(causes(error))
        if any(isinstance(cause, aiohttp.SocketTimeoutError) for cause in chain):
            return self._error(f"no reply from {self.url} within {self.timeout_s:g} s.", _ADVICE["timeout"], "timeout")
        why = str(chain[-1]) or type(chain[-1]).__name__
        return self._error(f"no reply from {self.url}: {why}.", "Is the server running, and `base_url` right?")

    def garbled(self, got: object) -> BackendError:
        """Return the error for a reply that is not a message."""
        return self._error(
            f"{self.url} did not answer with a message but with: {squeezed(got) or 'nothing'}.",
            "Is `base_url` right?",
            "protocol",
        )

    def _error(self, what: str, advice: str, fault: BackendFault = "unavailable") -> BackendError:
        return BackendError(self.redact(f"claude_chat: {what} {advice}".rstrip()), fault=fault)


def _fault(status: int, complaint: Complaint) -> BackendFault:
    if status in (400, 429) and is_quota(complaint):
        return "quota"
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if status >= 500:
        return "unavailable"
    return "context" if status in (400, 422) and _CONTEXT.search(complaint.message) else "bad_request"

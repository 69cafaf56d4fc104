"""From what the SDK raises, or a server answers, to a `BackendError` that says what to do. Keys never get through."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import aiohttp
import openai
from reflact import BackendError
from reflact.errors import BackendFault
from reflact.llm.complaints import causes, squeezed

from reflact_backend_openai.dialect import Complaint

_QUOTA = re.compile(r"insufficient.?(?:quota|balance|credit|fund)|billing|exceeded your current quota", re.IGNORECASE)
_CONTEXT = re.compile(
    r"context.?(?:length|window|size)|maximum context|prompt is too long|too many (?:input )?tokens", re.IGNORECASE
)
_REFUSED = frozenset({"content_filter", "content_policy_violation", "invalid_prompt", "ResponsibleAIPolicyViolation"})
_BY_STATUS: dict[int, BackendFault] = {
    401: "auth",
    402: "quota",
    403: "auth",
    408: "timeout",
    413: "context",
    429: "rate_limit",
    504: "timeout",
}
_ADVICE: dict[BackendFault, str] = {
    "auth": "Check the key ({key}) and what it may do.",
    "quota": "The account has no credit left; top it up, then resume.",
    "rate_limit": "Use fewer workers, or raise `max_retries`.",
    "context": "Shorten the prompt or the skill, or use a model (or a server setting) with a larger context.",
    "timeout": "Raise `timeout_s`, or use fewer workers.",
}


def complaint_in(body: object) -> Complaint:
    """Return what the *body* of a failed call says, whichever server's form it has."""
    inner = body.get("error", body) if isinstance(body, dict) else body
    if not isinstance(inner, dict):
        return Complaint(message=squeezed(inner))
    told = inner.get("message") or inner.get("detail") or inner
    code, kind, param = (str(inner.get(name) or "") for name in ("code", "type", "param"))
    return Complaint(message=squeezed(told), code=code, kind=kind, param=param)


def is_quota(body: object) -> bool:
    """Return whether the *body* of a 429 tells of used-up credit, which no waiting brings back."""
    complaint = complaint_in(body)
    return any(_QUOTA.search(text) for text in (complaint.code, complaint.kind, complaint.message))


def is_refusal(complaint: Complaint) -> bool:
    """Return whether *complaint* is a content filter's: the model was asked, and will not answer."""
    return not _REFUSED.isdisjoint({complaint.code, complaint.kind})


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
        advice = _ADVICE.get(fault, "").format(key=self.key)
        if status == 404:
            advice = f"Check `model` ({self.model}) and `base_url`; most servers want it to end in /v1."
        told = (complaint.message or "no reason given").rstrip(".")
        return self._error(f"{status} from {self.url}: {told}.", advice, fault)

    def unreached(self, error: openai.APIConnectionError) -> BackendError:
        """Return the error for a call that got no reply at all."""
        chain = list(causes(error))
        if any(isinstance(cause, aiohttp.SocketTimeoutError) for cause in chain):
            return self._error(f"no reply from {self.url} within {self.timeout_s:g} s.", _ADVICE["timeout"], "timeout")
        why = str(chain[-1]) or type(chain[-1]).__name__
        return self._error(f"no reply from {self.url}: {why}.", "Is the server running, and `base_url` right?")

    def garbled(self, got: object) -> BackendError:
        """Return the error for a reply that is not a chat completion."""
        return self._error(
            f"{self.url} did not answer with a chat completion but with: {squeezed(got) or 'nothing'}.",
            "Is `base_url` right?",
            "protocol",
        )

    def _error(self, what: str, advice: str, fault: BackendFault = "unavailable") -> BackendError:
        return BackendError(self.redact(f"openai_chat: {what} {advice}".rstrip()), fault=fault)


def _fault(status: int, complaint: Complaint) -> BackendFault:
    if status == 429 and is_quota({"message": complaint.message, "code": complaint.code, "type": complaint.kind}):
        return "quota"
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if status >= 500:
        return "unavailable"
    told = " ".join((complaint.code, complaint.kind, complaint.message))
    return "context" if status in (400, 422) and _CONTEXT.search(told) else "bad_request"

"""From what went wrong with a call to a `BackendError` that says what to do. Keys never get through."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from reflact.errors import BackendError, BackendFault
from reflact.llm.complaints import squeezed
from reflact.llm.http.complaint import Complaint
from reflact.llm.http.status import fault_of

_ADVICE: Mapping[BackendFault, str] = {
    "auth": "Check the key ({key}) and what it may do.",
    "quota": "The account has no credit left; top it up, then resume.",
    "rate_limit": "Use fewer workers, or raise `max_retries`.",
    "context": "Shorten the prompt or the skill, lower `max_tokens`, or use a model or server setting with more room.",
    "timeout": "Raise `timeout_s`, or use fewer workers.",
}
_BY_STATUS: Mapping[int, str] = {
    404: "Check `model` ({model}) and `{address}`.{hint}",
    529: "The server is overloaded: use fewer workers, raise `max_retries`, or resume later.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reporter:
    """Words errors for one endpoint of the backend `name`.

    `url` and `model` are as the user set them, `address` is the key that sets the url, `key` says where the credential
    comes from, `wanted` is what the server should answer with, and `redact` masks secrets.
    """

    name: str
    url: str
    model: str
    key: str
    timeout_s: float
    redact: Callable[[str], str]
    wanted: str = "a chat completion"
    address: str = "base_url"
    hint: str = ""
    """A sentence for whoever gets a 404."""
    entry: str = ""
    """What to do when the credential is refused; empty tells to check `key`."""

    def status(self, status: int, complaint: Complaint, retry_after_s: float | None = None) -> BackendError:
        """Return the error for a reply with an error *status*."""
        fault = fault_of(status, complaint)
        advice = (_BY_STATUS.get(status) or _ADVICE.get(fault, "")).format(
            key=self.key, model=self.model, address=self.address, hint=self.hint and f" {self.hint}"
        )
        if fault == "auth" and self.entry:
            advice = self.entry
        if 300 <= status < 400:
            advice = f"Set `{self.address}` to where this leads: no key is sent after a redirection."
        told = (complaint.message or "no reason given").rstrip(".")
        return self.error(f"{status} from {self.url}: {told}.", advice, fault, retry_after_s)

    def late(self) -> BackendError:
        """Return the error for a call that took too long."""
        return self.error(f"no reply from {self.url} within {self.timeout_s:g} s.", _ADVICE["timeout"], "timeout")

    def unreached(self, why: str) -> BackendError:
        """Return the error for a call that got no reply, or half of one, because of *why*."""
        advice = f"Is the server running, and `{self.address}` right?"
        return self.error(f"no reply from {self.url}: {why}.", advice, "unavailable")

    def garbled(self, got: object) -> BackendError:
        """Return the error for a reply that is not what was wanted."""
        what = f"{self.url} did not answer with {self.wanted} but with: {squeezed(got) or 'nothing'}."
        return self.error(what, f"Is `{self.address}` right?", "protocol")

    def error(self, what: str, advice: str, fault: BackendFault, retry_after_s: float | None = None) -> BackendError:
        """Return an error that says *what* happened and gives *advice*."""
        told = self.redact(f"{self.name}: {what} {advice}".rstrip())
        return BackendError(told, fault=fault, retry_after_s=retry_after_s)

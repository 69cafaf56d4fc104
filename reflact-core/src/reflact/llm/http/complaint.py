"""What a server says when it refuses, whichever server's form it has."""

from __future__ import annotations

import re
from dataclasses import dataclass

from reflact.llm.complaints import squeezed

_QUOTA = re.compile(
    r"insufficient.?(?:quota|balance|credit|fund)|credit balance|billing|usage limits|current quota", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Complaint:
    """The body of a failed call: its `message`, and `code`, `kind` and `param` where the server gives them."""

    message: str
    code: str = ""
    kind: str = ""
    param: str = ""

    @property
    def words(self) -> str:
        """All of it but the parameter, to search in."""
        return " ".join((self.code, self.kind, self.message))


def complaint_in(body: object) -> Complaint:
    """Return what the *body* of a failed call says: JSON data, or a text that is none."""
    inner = body.get("error") or body if isinstance(body, dict) else body
    if not isinstance(inner, dict):
        return Complaint(message=squeezed(inner))
    told = inner.get("message") or inner.get("detail") or inner
    code, kind, param = (str(inner.get(name) or "") for name in ("code", "type", "param"))
    return Complaint(message=squeezed(told), code=code, kind=kind, param=param)


def is_quota(complaint: Complaint) -> bool:
    """Return whether *complaint* tells of used-up credit, which no waiting brings back."""
    return bool(_QUOTA.search(complaint.words))

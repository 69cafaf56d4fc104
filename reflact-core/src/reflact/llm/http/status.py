"""From the status and the words of a failed call to its fault."""

from __future__ import annotations

import re
from collections.abc import Mapping

from reflact.errors import BackendFault
from reflact.llm.http.complaint import Complaint, is_quota

_BY_STATUS: Mapping[int, BackendFault] = {
    401: "auth",
    402: "quota",
    403: "auth",
    408: "timeout",
    409: "unavailable",
    413: "context",
    425: "unavailable",
    429: "rate_limit",
    504: "timeout",
}
_CONTEXT = re.compile(
    r"context.?(?:length|window|size|limit)|maximum context|prompt is too long|too many (?:input )?tokens"
    r"|exceeds the maximum (?:size|allowed)",
    re.IGNORECASE,
)


def fault_of(status: int, complaint: Complaint) -> BackendFault:
    """Return the fault of a call that was answered with *status* and *complaint*."""
    if status in (400, 403, 429) and is_quota(complaint):
        return "quota"
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if status >= 500:
        return "unavailable"
    return "context" if status in (400, 422) and _CONTEXT.search(complaint.words) else "bad_request"

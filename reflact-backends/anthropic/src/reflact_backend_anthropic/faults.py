"""Errors that come in place of a message, by their type."""

from __future__ import annotations

from collections.abc import Mapping

from reflact.llm.http import Complaint, complaint_in

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


def error_within(body: object) -> tuple[int, Complaint] | None:
    """Return the status and the complaint in the *body* of a 200 that holds an error in place of a message."""
    if not isinstance(body, dict) or "error" not in body or "content" in body:
        return None
    complaint = complaint_in(body)
    return STATUS_OF.get(complaint.kind, 500), complaint

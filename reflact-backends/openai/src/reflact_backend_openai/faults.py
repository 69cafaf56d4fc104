"""Failures that are this API's own: refusals that come as errors, errors in a 200, tool calls that came as text."""

from __future__ import annotations

import re
from collections.abc import Mapping

from reflact import ChatReply, ChatRequest
from reflact.llm.http import Complaint, complaint_in

_REFUSED = frozenset({"content_filter", "content_policy_violation", "invalid_prompt", "responsibleaipolicyviolation"})
_STATUS_OF: Mapping[str, int] = {"rate_limit_exceeded": 429, "insufficient_quota": 429, "invalid_api_key": 401}
_PRINTED = re.compile(r"<\|?tool_calls?|<function=|\[TOOL_CALLS\]|<\|python_tag\|>|<｜tool▁calls?▁begin｜>")


def is_refusal(complaint: Complaint) -> bool:
    """Return whether *complaint* is a content filter's: the model was asked, and will not answer."""
    return not _REFUSED.isdisjoint({complaint.code.lower(), complaint.kind.lower()})


def error_within(body: object) -> tuple[int, Complaint] | None:
    """Return the status and the complaint in the *body* of a 200 that holds an error in place of a reply."""
    if not isinstance(body, dict) or not body.get("error") or "choices" in body:
        return None
    complaint = complaint_in(body)
    code = complaint.code
    return int(code) if code.isdecimal() else _STATUS_OF.get(code, 500), complaint


def printed_call(request: ChatRequest, reply: ChatReply) -> bool:
    """Return whether *reply* has a call of one of *request*'s tools as text, which no parser took out of it."""
    may_call = bool(request.tools) and request.tool_choice != "none"
    return may_call and not reply.tool_calls and bool(_PRINTED.search(reply.text))

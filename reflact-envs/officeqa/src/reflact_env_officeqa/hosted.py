"""The one call in which the student's provider searches the web itself."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from reflact import ChatRequest, Message, Student


def ask_once(
    messages: Sequence[Message], *, student: Student, max_tokens: int, is_answer: Callable[[str], bool]
) -> tuple[str, Mapping[str, Any]]:
    """Return what *student* replies to *messages*, and what a rollout tells of its searches.

    Raises `BackendError` when there is no reply, or the student's backend cannot search.
    """
    reply = student.chat(ChatRequest(messages=tuple(messages), hosted_tools=("web_search",), max_tokens=max_tokens))
    return reply.text, {
        "n_turns": 1,
        "ended": "answered" if is_answer(reply.text) else "turns",
        "n_tool_calls": len(reply.searches),
        "tools_used": ["web_search"] if reply.searches else [],
        "searches": list(reply.searches),
        "cited_urls": list(reply.sources),
    }

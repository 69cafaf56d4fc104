"""What the fake server says of searches that it makes itself, in the words of Responses and of Messages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reflact.testing.server.script import FakeReply, FakeRequest

TOOL = "web_search"
RESULT = f"{TOOL}_tool_result"


def offered(request: FakeRequest, reply: FakeReply) -> FakeReply:
    """Return *reply*. Raises `ValueError` when it searches, and *request* has no such tool: that would never happen."""
    tools = (str(one.get("type")) for one in request.body.get("tools") or ())
    if (reply.searches or reply.sources) and not any(one.startswith(TOOL) for one in tools):
        raise ValueError(f"the script searches the web, but the request offers no {TOOL!r} tool")
    return reply


def items(request: FakeRequest, reply: FakeReply) -> Iterator[dict[str, Any]]:
    """Yield the searches of *reply* as items of a response's output."""
    for place, query in enumerate(offered(request, reply).searches):
        action = {"type": "search", "query": query, "queries": [query]}
        item = {"id": f"ws_fake_{request.index}_{place}", "type": f"{TOOL}_call", "status": "completed"}
        yield {**item, "action": action}


def notes(reply: FakeReply) -> list[dict[str, Any]]:
    """Return the sources of *reply* as annotations of its text, each of the whole."""
    span = {"start_index": 0, "end_index": len(reply.text)}
    return [{"type": "url_citation", "url": url, "title": url, **span} for url in reply.sources]


def blocks(request: FakeRequest, reply: FakeReply) -> Iterator[dict[str, Any]]:
    """Yield the searches of *reply* as blocks of a message, each with what it found, which is all the sources."""
    found = [
        {"type": f"{TOOL}_result", "url": url, "title": url, "encrypted_content": "fake", "page_age": None}
        for url in reply.sources
    ]
    for place, query in enumerate(offered(request, reply).searches):
        call = f"srvtoolu_fake_{request.index}_{place}"
        yield {"type": "server_tool_use", "id": call, "name": TOOL, "input": {"query": query}}
        yield {"type": RESULT, "tool_use_id": call, "content": found}


def citations(reply: FakeReply) -> list[dict[str, Any]]:
    """Return the sources of *reply* as citations of a text block."""
    where = {"type": f"{TOOL}_result_location", "encrypted_index": "fake", "cited_text": reply.text[:150]}
    return [{**where, "url": url, "title": url} for url in reply.sources]

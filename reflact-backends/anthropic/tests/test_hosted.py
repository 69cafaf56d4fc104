"""Tools that the server runs itself: how they are asked for, what is read of them, and a turn that is paused."""

from typing import Any

import pytest
from reflact import BackendError, ChatRequest, Message, Tool
from reflact.testing import FakeModelServer, FakeReply
from reflact_backend_anthropic import ClaudeConfig
from reflact_backend_anthropic.model import MOST_PAUSES, ClaudeChat

LOOK = Tool(name="look", description="Looks.", parameters={"type": "object", "properties": {}})
ASK = ChatRequest(messages=(Message(role="user", content="How many moons?"),), hosted_tools=("web_search",))
URLS = ("https://example.org/a", "https://example.org/b")
SEARCH = {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {"query": "moons"}}
THOUGHT = {"type": "thinking", "thinking": "hm", "signature": "s"}
USED = {"input_tokens": 10, "output_tokens": 5}


def model_at(server: FakeModelServer) -> ClaudeChat:
    return ClaudeChat(ClaudeConfig(base_url=server.url))


def message(*content: dict[str, Any], stop: str = "end_turn") -> FakeReply:
    return FakeReply(body={"type": "message", "content": list(content), "stop_reason": stop, "usage": USED})


def test_a_search_of_the_servers_own_is_offered_beside_other_tools_and_told() -> None:
    searched = FakeReply(text="Seven.", searches=("moons of Tarn",), sources=(*URLS, URLS[0]))
    with FakeModelServer(lambda _: searched) as server:
        request = ChatRequest(messages=ASK.messages, tools=(LOOK,), hosted_tools=("web_search",))
        reply = model_at(server).chat(request)
        look, search = server.requests[0].body["tools"]
    assert (look["name"], search) == ("look", {"type": "web_search_20250305", "name": "web_search"})
    assert (reply.text, reply.finish, reply.tool_calls) == ("Seven.", "stop", ())
    assert (reply.searches, reply.sources) == (("moons of Tarn",), URLS)


def test_a_turn_that_the_server_pauses_is_gone_on_with() -> None:
    cited = [{"type": "web_search_result_location", "url": URLS[0]}]
    parts = [
        message(THOUGHT, SEARCH, {"type": "text", "text": "It has "}, stop="pause_turn"),
        message({"type": "text", "text": "seven.", "citations": cited}),
    ]
    with FakeModelServer(lambda request: parts[request.index]) as server:
        reply = model_at(server).chat(ASK)
        first, second = (one.body["messages"] for one in server.requests)
    assert second == [*first, {"role": "assistant", "content": [THOUGHT, SEARCH, {"type": "text", "text": "It has "}]}]
    assert (reply.text, reply.finish, reply.searches, reply.sources) == ("It has seven.", "stop", ("moons",), URLS[:1])
    assert (reply.usage.calls, reply.usage.prompt, reply.usage.completion) == (2, 20, 10)


def test_a_turn_that_is_paused_again_and_again_is_cut() -> None:
    with FakeModelServer(lambda _: message({"type": "text", "text": "."}, stop="pause_turn")) as server:
        reply = model_at(server).chat(ASK)
        assert len(server.requests) == MOST_PAUSES + 1
    assert (reply.finish, reply.outcome) == ("length", "truncated")


def test_a_fault_after_a_pause_is_the_calls_own() -> None:
    parts = [message(SEARCH, stop="pause_turn"), FakeReply(status=529, message="overloaded")]
    with FakeModelServer(lambda request: parts[request.index]) as server, pytest.raises(BackendError) as caught:
        model_at(server).chat(ASK)
    assert caught.value.fault == "unavailable"

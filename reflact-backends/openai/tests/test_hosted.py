"""Tools that the server runs itself: asked for by Responses, refused where only Chat Completions may be spoken."""

from typing import Any

import pytest
from reflact import BackendError, ChatRequest, Message, Plugins, Tool
from reflact.testing import FakeModelServer, FakeReply, FakeRequest
from reflact_backend_openai import OpenAIChat, OpenAIConfig

LOOK = Tool(name="look", description="Looks.", parameters={"type": "object", "properties": {}})
ASK = ChatRequest(messages=(Message(role="user", content="How many moons?"),), hosted_tools=("web_search",))
PLAIN = ChatRequest(messages=ASK.messages)
URLS = ("https://example.org/a", "https://example.org/b")


def model_at(server: FakeModelServer, **settings: Any) -> OpenAIChat:
    return OpenAIChat(OpenAIConfig(**{"base_url": f"{server.url}/v1", **settings}))


def test_a_search_of_the_servers_own_is_asked_for_by_responses_and_other_requests_by_chat() -> None:
    searched = FakeReply(text="Seven.", searches=("moons of Tarn", "Tarn survey"), sources=(*URLS, URLS[0]))
    with FakeModelServer(lambda one: searched if one.api == "responses" else FakeReply(text="ok")) as server:
        model = model_at(server)
        reply = model.chat(ASK)
        model.chat(PLAIN)
        assert server.requests[0].body["tools"] == [{"type": "web_search"}]
        assert [(one.api, "tools" in one.body) for one in server.requests] == [
            ("responses", True),
            ("chat_completions", False),
        ]
    assert (reply.text, reply.finish, reply.tool_calls) == ("Seven.", "stop", ())
    assert (reply.searches, reply.sources) == (("moons of Tarn", "Tarn survey"), URLS)


def test_the_tools_of_both_sides_are_offered_together() -> None:
    with FakeModelServer(lambda _: "ok") as server:
        model_at(server).chat(ChatRequest(messages=ASK.messages, tools=(LOOK,), hosted_tools=("web_search",)))
        assert [one["type"] for one in server.requests[0].body["tools"]] == ["function", "web_search"]


def test_a_page_that_was_opened_is_no_search() -> None:
    opened = {"type": "open_page", "url": URLS[0]}
    items = [
        {
            "type": "web_search_call",
            "id": "ws_1",
            "status": "completed",
            "action": {"type": "search", "query": "moons"},
        },
        {"type": "web_search_call", "id": "ws_2", "status": "completed", "action": opened},
        {"type": "web_search_call", "id": "ws_3", "status": "failed"},
        {"type": "message", "content": [{"type": "output_text", "text": "7", "annotations": [{"type": "file_path"}]}]},
    ]
    with FakeModelServer(lambda _: FakeReply(body={"status": "completed", "output": items})) as server:
        reply = model_at(server).chat(ASK)
    assert (reply.text, reply.searches, reply.sources) == ("7", ("moons",), ())


def test_whoever_wants_chat_only_is_told_so_before_anything_is_sent() -> None:
    with FakeModelServer(lambda _: "ok") as server:
        with pytest.raises(BackendError, match="needs Responses, and `api` is `chat`") as caught:
            model_at(server, api="chat").chat(ASK)
        assert (caught.value.fault, server.requests) == ("bad_request", ())


def test_a_server_that_knows_the_tool_as_a_preview_is_asked_for_that_from_then_on() -> None:
    def script(request: FakeRequest) -> FakeReply:
        if request.body["tools"][0]["type"] == "web_search_preview":
            return FakeReply(text="Seven.", searches=("moons",))
        told = "Invalid value: 'web_search'. Supported values are: 'function', 'mcp' and 'web_search_preview'."
        return FakeReply(status=400, code="invalid_value", param="tools[0].type", message=told)

    with FakeModelServer(script) as server:
        model = model_at(server)
        assert [model.chat(ASK).searches for _ in range(2)] == [("moons",)] * 2
        names = [one.body["tools"][0]["type"] for one in server.requests]
    assert names == ["web_search", "web_search_preview", "web_search_preview"]


def test_a_server_without_the_tool_is_reported_in_its_own_words() -> None:
    def script(request: FakeRequest) -> FakeReply:
        return FakeReply(status=400, message="Hosted tool 'web_search' is not supported with this model.")

    with FakeModelServer(script) as server, pytest.raises(BackendError, match="Hosted tool 'web_search'") as caught:
        model_at(server).chat(ASK)
    assert caught.value.fault == "bad_request"


def test_the_backend_says_under_which_settings_its_server_searches() -> None:
    spec = Plugins().get("backends", "openai_chat")
    assert [bool(spec.hosted(OpenAIConfig(api=api), "web_search")) for api in ("auto", "responses", "chat")] == [
        False,
        False,
        True,
    ]

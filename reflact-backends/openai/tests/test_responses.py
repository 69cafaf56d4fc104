from base64 import b64decode
from typing import Any

import pytest
from reflact import BackendError, ChatRequest, Image, Message, Text, Tool, ToolCall
from reflact.testing import FakeModelServer, FakeReply, FakeRequest
from reflact.types import Usage
from reflact_backend_openai import OpenAIChat, OpenAIConfig

SCHEMA = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
LOOK = Tool(name="look", description="Looks.", parameters=SCHEMA)
NOT_CHAT = FakeReply(
    status=404, message="This is not a chat model and thus not supported in the v1/chat/completions endpoint."
)


def model_at(server: FakeModelServer, **settings: Any) -> OpenAIChat:
    return OpenAIChat(OpenAIConfig(**{"base_url": f"{server.url}/v1", "api": "responses", **settings}))


def asking(*more: Message, **fields: Any) -> ChatRequest:
    messages = (Message(role="system", content="Be brief."), Message(role="user", content="Where?"), *more)
    return ChatRequest(messages=messages, **fields)


def test_only_what_is_set_is_sent_and_the_server_keeps_nothing() -> None:
    with FakeModelServer(lambda _: "Lima") as server:
        assert model_at(server).chat(asking()).text == "Lima"
        sent = server.requests[0]
    assert sent.path == "/v1/responses"
    assert sent.body == {
        "model": "gpt-5.4",
        "instructions": "Be brief.",
        "input": [{"role": "user", "content": [{"type": "input_text", "text": "Where?"}]}],
        "store": False,
    }


def test_every_setting_has_its_place() -> None:
    settings = {"effort": "low", "temperature": 0.5, "max_tokens": 900, "thinking": "off"}
    with FakeModelServer(lambda _: "{}") as server:
        model_at(server, **settings, extra_body={"service_tier": "flex"}).chat(asking(schema=SCHEMA, tools=(LOOK,)))
        body = server.requests[0].body
    assert (body["reasoning"], body["temperature"], body["max_output_tokens"]) == ({"effort": "low"}, 0.5, 900)
    assert body["text"] == {"format": {"type": "json_schema", "name": "reply", "strict": True, "schema": SCHEMA}}
    assert body["tools"] == [
        {"type": "function", "name": "look", "description": "Looks.", "parameters": SCHEMA, "strict": False}
    ]
    assert (body["service_tier"], body["chat_template_kwargs"]) == ("flex", {"enable_thinking": False})


def test_an_image_arrives_whole() -> None:
    image = Image(data=b"\x89PNG", media_type="image/png", label="Image #1", detail="high")
    said = ChatRequest(messages=(Message(role="user", content=(Text("What?"), image)),))
    with FakeModelServer(lambda _: "a dot") as server:
        model_at(server).chat(said)
        parts = server.requests[0].body["input"][0]["content"]
    assert parts[1] == {"type": "input_text", "text": "[Image #1]"}
    assert (parts[2]["type"], parts[2]["detail"]) == ("input_image", "high")
    assert b64decode(parts[2]["image_url"].removeprefix("data:image/png;base64,")) == b"\x89PNG"


def test_a_tool_is_called_and_answered() -> None:
    call = ToolCall(id="c1", name="look", arguments='{"at": 1}')
    replies = [FakeReply(text="looking", tool_calls=(call,)), FakeReply(text="a dot")]
    with FakeModelServer(lambda request: replies[request.index]) as server:
        model = model_at(server)
        asked = model.chat(asking(tools=(LOOK,)))
        said = Message(role="assistant", content=asked.text, tool_calls=asked.tool_calls)
        answered = model.chat(asking(said, Message(role="tool", content="dots", tool_call_id="c1"), tools=(LOOK,)))
        items = server.requests[1].body["input"][1:]
    assert (asked.tool_calls, asked.finish) == ((call,), "tool_calls")
    assert items == [
        {"role": "assistant", "content": "looking"},
        {"type": "function_call", "call_id": "c1", "name": "look", "arguments": '{"at": 1}'},
        {"type": "function_call_output", "call_id": "c1", "output": "dots"},
    ]
    assert answered.text == "a dot"


@pytest.mark.parametrize(
    ("reply", "outcome", "text"),
    [
        (FakeReply(text="half", finish="length"), "truncated", "half"),
        (FakeReply(finish="refused"), "refused", ""),
        (FakeReply(refusal="I will not."), "refused", "I will not."),
        (FakeReply(status=400, code="content_filter"), "refused", ""),
        (FakeReply(status=400, code="content_filter", late=True), "refused", ""),
        (FakeReply(), "empty", ""),
        (FakeReply(text="<think>hm</think>Lima"), "ok", "Lima"),
    ],
)
def test_endings_are_told_apart(reply: FakeReply, outcome: str, text: str) -> None:
    with FakeModelServer(lambda _: reply) as server:
        got = model_at(server).chat(asking())
        assert len(server.requests) == 1
    assert (got.outcome, got.text) == (outcome, text)


def test_usage_counts_reasoning_and_what_was_cached() -> None:
    counted = Usage(calls=1, prompt=120, cached=100, completion=30, reasoning=20)
    with FakeModelServer(lambda _: FakeReply(text="ok", usage=counted, cost=0.125)) as server:
        reply = model_at(server).chat(asking())
    assert (reply.usage, reply.usd) == (counted, 0.125)


@pytest.mark.parametrize(
    ("code", "fault"), [("rate_limit_exceeded", "rate_limit"), ("server_error", "unavailable"), ("", "unavailable")]
)
def test_a_response_that_failed_late_is_an_error(code: str, fault: str) -> None:
    reply = FakeReply(status=500, code=code, message="overheated", late=True)
    with FakeModelServer(lambda _: reply) as server, pytest.raises(BackendError, match="overheated") as caught:
        model_at(server).chat(asking())
    assert caught.value.fault == fault


@pytest.mark.parametrize(
    ("refused", "field"),
    [("temperature", "temperature"), ("max_output_tokens", "max_output_tokens"), ("reasoning.effort", "reasoning")],
)
def test_a_refused_parameter_is_left_out_from_then_on(refused: str, field: str) -> None:
    with FakeModelServer(lambda _: "ok", refuse={refused}) as server:
        model = model_at(server, temperature=1, effort="low", max_tokens=100)
        assert [model.chat(asking()).text for _ in range(3)] == ["ok"] * 3
        assert [field in one.body for one in server.requests] == [True, False, False, False]


def test_a_refused_schema_falls_back_to_an_object_and_then_to_words() -> None:
    def script(request: FakeRequest) -> FakeReply | str:
        kind = request.body.get("text", {}).get("format", {}).get("type")
        return FakeReply(status=400, message=f"'text.format' of type {kind} is not supported") if kind else "{}"

    with FakeModelServer(script) as server:
        assert model_at(server).chat(asking(schema=SCHEMA)).text == "{}"
        kinds = [one.body.get("text", {}).get("format", {}).get("type") for one in server.requests]
    assert kinds == ["json_schema", "json_object", None]


def test_a_model_that_has_no_chat_is_asked_by_responses_from_then_on() -> None:
    def script(request: FakeRequest) -> FakeReply | str:
        return NOT_CHAT if request.api == "chat_completions" else "ok"

    with FakeModelServer(script) as server:
        model = model_at(server, api="auto")
        assert [model.chat(asking()).text for _ in range(3)] == ["ok"] * 3
        assert [one.api for one in server.requests] == ["chat_completions", *["responses"] * 3]


def test_whoever_wants_chat_gets_the_servers_own_words() -> None:
    with FakeModelServer(lambda _: NOT_CHAT) as server, pytest.raises(BackendError, match="not a chat model"):
        model_at(server, api="chat").chat(asking())


def test_a_model_known_to_have_nothing_else_is_asked_by_responses_at_once() -> None:
    with FakeModelServer(lambda _: "ok", key="k") as server:
        settings = {"base_url": "", "api": "auto", "model": "gpt-5.3-codex", "azure_openai_endpoint": server.url}
        model_at(server, **settings, azure_openai_api_key="k").chat(asking())
        assert [one.api for one in server.requests] == ["responses"]


@pytest.mark.parametrize("body", [{}, {"output": None}, {"output": ["hello"]}, {"output": [{"type": "message"}]}])
def test_an_answer_of_another_shape_is_a_protocol_error(body: dict[str, object]) -> None:
    with FakeModelServer(lambda _: FakeReply(body=body)) as server, pytest.raises(BackendError) as caught:
        model_at(server).chat(asking())
    assert caught.value.fault == "protocol"
    assert "did not answer with a chat completion or a response" in str(caught.value)

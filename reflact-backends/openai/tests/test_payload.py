from typing import Any

import pytest
from reflact import ChatRequest, Image, Message, Text, Tool, ToolCall
from reflact_backend_openai import OpenAIConfig
from reflact_backend_openai.completions import payload
from reflact_backend_openai.dialect import Dialect

CLOSED = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}


def asking(*messages: Message, **more: Any) -> ChatRequest:
    return ChatRequest(messages=messages or (Message(role="user", content="Where?"),), **more)


def body(request: ChatRequest, *, dialect: Dialect | None = None, **settings: Any) -> dict[str, Any]:
    return payload(request, OpenAIConfig(**settings), dialect or Dialect())


def test_only_what_is_set_is_sent() -> None:
    assert body(asking(stage="merge", repeat=3), max_tokens=None) == {
        "model": "gpt-5.4",
        "messages": [{"role": "user", "content": "Where?"}],
    }


def test_the_request_outranks_the_configuration() -> None:
    sent = body(asking(effort="high", temperature=0.0), effort="low", temperature=1.0)
    assert (sent["reasoning_effort"], sent["temperature"]) == ("high", 0.0)


def test_the_configuration_fills_what_the_request_leaves_open() -> None:
    sent = body(asking(), effort="low", temperature=0.5)
    assert (sent["reasoning_effort"], sent["temperature"]) == ("low", 0.5)


@pytest.mark.parametrize(
    ("configured", "asked", "sent"), [(100, 50, 50), (100, 500, 100), (None, 50, 50), (100, None, 100)]
)
def test_the_smaller_token_limit_is_sent(configured: int | None, asked: int | None, sent: int) -> None:
    assert body(asking(max_tokens=asked), max_tokens=configured)["max_completion_tokens"] == sent


def test_thinking_is_sent_on_and_off_but_not_as_the_servers_default() -> None:
    sent = [body(asking(), thinking=value) for value in ("on", "off", "server_default")]
    assert [one.get("chat_template_kwargs") for one in sent] == [
        {"enable_thinking": True},
        {"enable_thinking": False},
        None,
    ]


def test_thinking_joins_the_template_arguments_of_the_extra_body() -> None:
    sent = body(asking(), thinking="off", extra_body={"chat_template_kwargs": {"tone": "dry"}, "top_k": 1})
    assert (sent["chat_template_kwargs"], sent["top_k"]) == ({"tone": "dry", "enable_thinking": False}, 1)


def test_an_image_becomes_a_data_url_after_its_label() -> None:
    image = Image(data=b"abc", media_type="image/png", label="Image #1")
    sent = body(asking(Message(role="user", content=(Text("Look:"), image))))["messages"][0]["content"]
    assert sent == [
        {"type": "text", "text": "Look:"},
        {"type": "text", "text": "[Image #1]"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,YWJj"}},
    ]


def test_tools_calls_and_results_take_their_places() -> None:
    call = ToolCall(id="c1", name="look", arguments='{"city":"Lima"}')
    sent = body(
        asking(
            Message(role="assistant", tool_calls=(call,)),
            Message(role="tool", content="22 °C", tool_call_id="c1"),
            tools=(Tool(name="look", description="Looks.", parameters=CLOSED),),
        )
    )
    function = {"name": "look", "description": "Looks.", "parameters": CLOSED}
    assert sent["tools"] == [{"type": "function", "function": function}]
    assert sent["messages"][0]["tool_calls"] == [
        {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"city":"Lima"}'}}
    ]
    assert sent["messages"][1] == {"role": "tool", "content": "22 °C", "tool_call_id": "c1"}


def test_a_schema_is_sent_by_name() -> None:
    sent = body(asking(schema=CLOSED, schema_name="place"))["response_format"]
    assert sent == {"type": "json_schema", "json_schema": {"name": "place", "strict": True, "schema": CLOSED}}


def test_tools_can_be_known_and_not_to_be_called() -> None:
    tool = Tool(name="look", description="Looks.", parameters=CLOSED)
    assert body(asking(tools=(tool,), tool_choice="none"))["tool_choice"] == "none"
    assert "tool_choice" not in body(asking(tools=(tool,)))
    assert "tool_choice" not in body(asking(tool_choice="none"))

from typing import Any

import pytest
from reflact import ChatRequest, Image, Message, Text, Tool, ToolCall
from reflact_backend_anthropic import ClaudeConfig
from reflact_backend_anthropic.dialect import Dialect
from reflact_backend_anthropic.payload import payload

CLOSED = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
USER = {"role": "user", "content": [{"type": "text", "text": "Where?"}]}


def asking(*messages: Message, **more: Any) -> ChatRequest:
    return ChatRequest(messages=messages or (Message(role="user", content="Where?"),), **more)


def body(request: ChatRequest, *, dialect: Dialect | None = None, **settings: Any) -> dict[str, Any]:
    return payload(request, ClaudeConfig(**settings), dialect or Dialect())


def test_only_what_is_set_is_sent_and_a_temperature_never() -> None:
    assert body(asking(stage="merge", repeat=3, temperature=0.0)) == {
        "model": "claude-sonnet-4-6",
        "max_tokens": 16384,
        "messages": [USER],
    }


def test_a_temperature_can_be_sent_on_purpose() -> None:
    assert body(asking(), extra_body={"temperature": 0, "top_k": 1}).items() >= {"temperature": 0, "top_k": 1}.items()


@pytest.mark.parametrize(
    ("configured", "asked", "sent"),
    [
        ("", None, None),
        ("low", None, {"effort": "low"}),
        ("low", "max", {"effort": "max"}),
        ("low", "none", None),
        ("minimal", None, None),
        ("none", "xhigh", {"effort": "xhigh"}),
    ],
)
def test_the_effort_is_the_requests_or_the_configurations(
    configured: str, asked: str | None, sent: dict[str, str] | None
) -> None:
    assert body(asking(effort=asked), effort=configured).get("output_config") == sent


@pytest.mark.parametrize(("configured", "asked", "sent"), [(100, 50, 50), (100, 500, 100), (100, None, 100)])
def test_the_smaller_token_limit_is_sent(configured: int, asked: int | None, sent: int) -> None:
    assert body(asking(max_tokens=asked), max_tokens=configured)["max_tokens"] == sent


def test_thinking_is_sent_on_and_off_but_not_as_the_servers_default() -> None:
    sent = [body(asking(), thinking=value).get("thinking") for value in ("on", "off", "server_default")]
    assert sent == [{"type": "adaptive"}, {"type": "disabled"}, None]


def test_system_texts_become_blocks_whose_end_is_marked_for_the_cache() -> None:
    messages = (Message(role="system", content="Be brief."), Message(role="system", content="Be kind."))
    assert body(asking(*messages, Message(role="user", content="Where?")))["system"] == [
        {"type": "text", "text": "Be brief."},
        {"type": "text", "text": "Be kind.", "cache_control": {"type": "ephemeral"}},
    ]


def test_without_prompt_caching_nothing_is_marked() -> None:
    sent = body(asking(Message(role="system", content="Be brief.")), prompt_caching=False)
    assert sent["system"] == [{"type": "text", "text": "Be brief."}]


def test_an_image_is_sent_after_its_label() -> None:
    image = Image(data=b"abc", media_type="image/png", label="Image #1")
    sent = body(asking(Message(role="user", content=(Text("Look:"), image))))["messages"][0]["content"]
    assert sent == [
        {"type": "text", "text": "Look:"},
        {"type": "text", "text": "[Image #1]"},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "YWJj"}},
    ]


def test_tools_calls_and_results_take_their_places() -> None:
    calls = (ToolCall(id="c1", name="look", arguments='{"city":"Lima"}'), ToolCall(id="c2", name="look", arguments=""))
    sent = body(
        asking(
            Message(role="user", content="Where?"),
            Message(role="assistant", content="I look.", tool_calls=calls),
            Message(role="tool", content="22 °C", tool_call_id="c1"),
            Message(role="tool", tool_call_id="c2"),
            Message(role="user", content="Well?"),
            tools=(Tool(name="look", description="Looks.", parameters=CLOSED),),
        )
    )
    assert sent["tools"] == [{"name": "look", "description": "Looks.", "input_schema": CLOSED}]
    assert [one["role"] for one in sent["messages"]] == ["user", "assistant", "user"]
    assert sent["messages"][1]["content"] == [
        {"type": "text", "text": "I look."},
        {"type": "tool_use", "id": "c1", "name": "look", "input": {"city": "Lima"}},
        {"type": "tool_use", "id": "c2", "name": "look", "input": {}},
    ]
    assert sent["messages"][2]["content"] == [
        {"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": "22 °C"}]},
        {"type": "tool_result", "tool_use_id": "c2"},
        {"type": "text", "text": "Well?"},
    ]


@pytest.mark.parametrize(("arguments", "said"), [("not json", "not json"), ("[1]", [1])])
def test_arguments_that_are_no_object_are_put_into_one(arguments: str, said: object) -> None:
    call = ToolCall(id="c1", name="look", arguments=arguments)
    sent = body(asking(Message(role="assistant", tool_calls=(call,))))
    assert sent["messages"][0]["content"][0]["input"] == {"arguments": said}


def test_blank_texts_which_the_api_refuses_are_left_out() -> None:
    messages = (
        Message(role="system", content=""),
        Message(role="user", content="Where?"),
        Message(role="assistant", content="\n"),
    )
    sent = body(asking(*messages))
    assert (sent["messages"], "system" in sent) == ([USER], False)


def test_a_schema_and_an_effort_share_the_output_configuration() -> None:
    sent = body(asking(schema=CLOSED, effort="high"))["output_config"]
    assert sent == {"effort": "high", "format": {"type": "json_schema", "schema": CLOSED}}


def test_what_the_server_refused_is_left_out() -> None:
    dialect = Dialect(refused=frozenset({"output_config.effort", "output_config.format", "cache_control"}), most=4096)
    request = asking(Message(role="system", content="Be brief."), schema=CLOSED, effort="high")
    sent = body(request, dialect=dialect)
    assert (sent["max_tokens"], "output_config" in sent) == (4096, False)
    assert sent["system"] == [{"type": "text", "text": "Be brief."}]


def test_tools_can_be_known_and_not_to_be_called() -> None:
    tool = Tool(name="look", description="Looks.", parameters=CLOSED)
    assert body(asking(tools=(tool,), tool_choice="none"))["tool_choice"] == {"type": "none"}
    assert "tool_choice" not in body(asking(tools=(tool,)))
    assert "tool_choice" not in body(asking(tool_choice="none"))

from typing import Any

import pytest
from reflact import ChatRequest, Image, Message, Text, Tool, ToolCall, Usage
from reflact_backend_openai import OpenAIConfig
from reflact_backend_openai.dialect import Dialect
from reflact_backend_openai.wire import is_strict, payload, reply, spoken, usage

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


def completion(message: dict[str, Any], finish: str | None = "stop", **more: Any) -> dict[str, Any]:
    return {"choices": [{"message": message, "finish_reason": finish}], **more}


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


def test_only_a_schema_that_is_closed_throughout_is_strict() -> None:
    nested = {**CLOSED, "properties": {"city": {"type": "array", "items": {"type": "object", "properties": {}}}}}
    assert is_strict(CLOSED)
    assert not is_strict({**CLOSED, "required": []})
    assert not is_strict({name: part for name, part in CLOSED.items() if name != "additionalProperties"})
    assert not is_strict(nested)


def test_a_property_may_be_called_properties() -> None:
    inner = {"type": "string"}
    assert is_strict({**CLOSED, "properties": {"properties": inner}, "required": ["properties"]})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<think>6*7</think>\n42", "42"),
        ("\n<think>a</think> <think>b</think> 42", "42"),
        ("6*7 is\n</think>\n\n42", "42"),
        ("<think>never done", ""),
        ("Use <think>…</think> tags.", "Use <think>…</think> tags."),
        ('{"rule": "drop <think>x</think>"}', '{"rule": "drop <think>x</think>"}'),
        ("  42\n", "  42\n"),
        ("", ""),
    ],
)
def test_thoughts_are_not_part_of_what_was_said(text: str, said: str) -> None:
    assert spoken(text) == said
    assert reply(completion({"content": text}), model="m").text == said


def test_reasoning_in_a_field_of_its_own_is_not_part_of_the_text() -> None:
    got = reply(completion({"content": None, "reasoning_content": "hm"}, "length"), model="m")
    assert (got.text, got.outcome) == ("", "truncated")


def test_text_in_parts_is_joined() -> None:
    parts = [{"type": "thinking", "thinking": []}, {"type": "text", "text": "4"}, {"type": "text", "text": "2"}]
    assert reply(completion({"content": parts}), model="m").text == "42"


@pytest.mark.parametrize(
    ("told", "finish"),
    [("stop", "stop"), ("length", "length"), ("content_filter", "refused"), (None, "stop"), ("eos", "stop")],
)
def test_every_ending_has_its_finish(told: str | None, finish: str) -> None:
    assert reply(completion({"content": "x"}, told), model="m").finish == finish


def test_a_refusal_is_shown_and_marked() -> None:
    got = reply(completion({"content": None, "refusal": "I will not."}), model="m")
    assert (got.text, got.finish) == ("I will not.", "refused")


def test_tool_calls_are_read_also_without_id_and_with_parsed_arguments() -> None:
    calls = [{"function": {"name": "look", "arguments": {"at": "é"}}}, {"id": "b", "function": {"name": "stop"}}]
    got = reply(completion({"content": "", "tool_calls": calls}), model="m")
    assert got.finish == "tool_calls"
    assert got.tool_calls == (
        ToolCall(id="call_0", name="look", arguments='{"at": "é"}'),
        ToolCall(id="b", name="stop", arguments="{}"),
    )


def test_usage_counts_cached_and_reasoning_tokens() -> None:
    counts = {
        "prompt_tokens": 10,
        "completion_tokens": 7,
        "prompt_tokens_details": {"cached_tokens": 4},
        "completion_tokens_details": {"reasoning_tokens": 5},
    }
    assert usage(counts) == Usage(calls=1, prompt=10, cached=4, completion=7, reasoning=5)


def test_usage_that_is_missing_or_no_count_is_zero() -> None:
    odd = {"prompt_tokens": True, "completion_tokens": -3, "prompt_tokens_details": None, "prompt_cache_hit_tokens": 2}
    assert usage(odd) == Usage(calls=1, cached=2)
    assert reply(completion({"content": "x"}), model="m").usage == Usage(calls=1)


def test_the_model_is_the_one_the_server_names() -> None:
    assert reply(completion({"content": "x"}, model="m-2026"), model="m").model == "m-2026"
    assert reply(completion({"content": "x"}), model="m").model == "m"

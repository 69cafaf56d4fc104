"""What is asked of the server for a ChatRequest."""

from __future__ import annotations

from dataclasses import replace

import pytest
from reflact.errors import BackendError
from reflact.types import ChatRequest, Image, Message, Text, Tool, ToolCall
from reflact_backend_local.config import LocalConfig
from reflact_backend_local.model import body

ASKED = ChatRequest(messages=(Message(role="system", content="Be brief."), Message(role="user", content="Why?")))
PIXEL = Image(data=b"\x89PNG", media_type="image/png")


def test_the_configuration_fills_what_the_request_leaves_open():
    sent = body(ASKED, LocalConfig(max_tokens=12, temperature=0.5, seed=7))
    assert (sent["max_tokens"], sent["temperature"], sent["seed"]) == (12, 0.5, 7)
    assert sent["messages"] == [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Why?"}]


def test_a_request_may_ask_for_fewer_tokens_but_not_for_more():
    config = LocalConfig(max_tokens=100)
    tokens = [body(replace(ASKED, max_tokens=n), config)["max_tokens"] for n in (50, 100, 150)]
    assert tokens == [50, 100, 100]


def test_the_temperature_of_the_request_comes_first():
    assert body(replace(ASKED, temperature=0.0), LocalConfig(temperature=1.0))["temperature"] == 0.0


def test_repeats_of_a_request_are_sampled_with_different_seeds():
    assert body(replace(ASKED, repeat=2), LocalConfig(seed=40))["seed"] == 42


def test_a_schema_is_sent_without_what_makes_decoding_slow():
    schema = {"type": "object", "properties": {"a": {"type": "string", "maxLength": 9}}}
    sent = body(replace(ASKED, schema=schema), LocalConfig())["response_format"]["json_schema"]["schema"]
    assert sent == {"type": "object", "properties": {"a": {"type": "string"}}}


def test_text_parts_are_joined():
    message = Message(role="user", content=(Text("one"), Text("two")))
    assert body(ChatRequest(messages=(message,)), LocalConfig())["messages"] == [
        {"role": "user", "content": "one\ntwo"}
    ]


@pytest.mark.parametrize(
    ("request_", "word"),
    [
        (ChatRequest(messages=(Message(role="user", content=(Text("?"), PIXEL)),)), "see images"),
        (replace(ASKED, hosted_tools=("web_search",)), "search the web"),
        (replace(ASKED, tools=(Tool(name="look", description="", parameters={}),)), "call tools"),
        (ChatRequest(messages=(Message(role="tool", content="22", tool_call_id="1"),)), "call tools"),
        (
            ChatRequest(
                messages=(Message(role="assistant", tool_calls=(ToolCall(id="1", name="f", arguments="{}"),)),)
            ),
            "call tools",
        ),
    ],
)
def test_images_and_tools_are_refused_in_plain_words(request_, word):
    with pytest.raises(BackendError, match=f"cannot {word}; use another backend") as caught:
        body(request_, LocalConfig())
    assert caught.value.fault == "bad_request"

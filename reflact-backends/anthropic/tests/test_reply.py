from typing import Any

import pytest
from reflact import ToolCall, Usage
from reflact_backend_anthropic.reply import reply, usage


def message(*content: dict[str, Any], stop: str | None = "end_turn", **more: Any) -> dict[str, Any]:
    return {"content": list(content), "stop_reason": stop, **more}


def text(said: str) -> dict[str, Any]:
    return {"type": "text", "text": said}


def test_texts_are_joined_and_thoughts_left_out() -> None:
    thoughts = [{"type": "thinking", "thinking": "6*7"}, {"type": "redacted_thinking", "data": "x"}]
    assert reply(message(*thoughts, text("4"), text("2")), model="m").text == "42"


@pytest.mark.parametrize(
    ("told", "finish"),
    [
        ("end_turn", "stop"),
        ("stop_sequence", "stop"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
        ("pause_turn", "length"),
        ("refusal", "refused"),
        ("something_new", "stop"),
        (None, "stop"),
    ],
)
def test_every_ending_has_its_finish(told: str | None, finish: str) -> None:
    assert reply(message(text("x"), stop=told), model="m").finish == finish


def test_thinking_that_took_the_whole_limit_is_truncated_not_empty() -> None:
    got = reply(message({"type": "thinking", "thinking": "hm"}, stop="max_tokens"), model="m")
    assert (got.text, got.outcome) == ("", "truncated")


def test_tool_calls_are_read_with_their_arguments_as_text() -> None:
    calls = [
        {"type": "tool_use", "id": "a", "name": "look", "input": {"at": "é"}},
        {"type": "tool_use", "id": "b", "name": "stop", "input": {}},
    ]
    got = reply(message(text("I look."), *calls, stop="tool_use"), model="m")
    assert (got.text, got.finish) == ("I look.", "tool_calls")
    assert got.tool_calls == (
        ToolCall(id="a", name="look", arguments='{"at": "é"}'),
        ToolCall(id="b", name="stop", arguments="{}"),
    )


def test_a_tool_call_that_was_cut_is_truncated() -> None:
    call = {"type": "tool_use", "id": "a", "name": "look", "input": {}}
    assert reply(message(call, stop="max_tokens"), model="m").outcome == "truncated"


def test_the_prompt_includes_what_was_read_from_and_written_to_the_cache() -> None:
    counts = {
        "input_tokens": 10,
        "cache_read_input_tokens": 100,
        "cache_creation_input_tokens": 1000,
        "output_tokens": 7,
        "output_tokens_details": {"thinking_tokens": 5},
    }
    assert usage(counts) == Usage(calls=1, prompt=1110, cached=100, completion=7, reasoning=5)


def test_usage_that_is_missing_or_no_count_is_zero() -> None:
    odd = {"input_tokens": True, "output_tokens": -3, "cache_read_input_tokens": None, "output_tokens_details": None}
    assert usage(odd) == Usage(calls=1)
    assert reply(message(text("x")), model="m").usage == Usage(calls=1)


def test_the_model_is_the_one_the_server_names() -> None:
    assert reply(message(text("x"), model="m-2026"), model="m").model == "m-2026"
    assert reply(message(text("x")), model="m").model == "m"

from typing import Any

import pytest
from reflact import ToolCall, Usage
from reflact_backend_openai.completions import reply, spoken, usage


def completion(message: dict[str, Any], finish: str | None = "stop", **more: Any) -> dict[str, Any]:
    return {"choices": [{"message": message, "finish_reason": finish}], **more}


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

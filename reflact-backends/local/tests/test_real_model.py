"""The real weights, fetched by the real code when they are not cached yet."""

from __future__ import annotations

import json
import os
import signal
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from reflact.errors import BackendError
from reflact.types import ChatRequest, Message
from reflact_backend_local.client import build, verify
from reflact_backend_local.config import LocalConfig
from reflact_backend_local.model import LocalChat

pytestmark = pytest.mark.slow

COUNTRIES = ("France", "Spain", "Italy", "Germany", "Peru", "Norway", "Egypt", "Japan")


def asking(text: str, **others: object) -> ChatRequest:
    messages = (Message(role="system", content="Answer with one word."), Message(role="user", content=text))
    return replace(ChatRequest(messages=messages), **others)


@pytest.fixture(scope="module")
def model() -> LocalChat:
    return build(LocalConfig(max_tokens=64))


def test_a_question_is_answered(model):
    reply = model.chat(asking("What is the capital of France?"))
    assert "Paris" in reply.text
    assert (reply.finish, reply.model, reply.usage.calls) == ("stop", "qwen2.5-coder-0.5b-instruct-q4_k_m", 1)
    assert reply.usage.prompt > 15 and reply.usage.completion > 0


def test_a_system_message_changes_the_answer(model):
    shouted = ChatRequest(
        messages=(
            Message(role="system", content="Write dates as YYYY-MM-DD. Example: 3 May 1999 -> 1999-05-03"),
            Message(role="user", content="7 June 2001 ->"),
        )
    )
    assert "2001-06-07" in model.chat(shouted).text


def test_the_prefix_that_calls_share_is_cached(model):
    long = "Cities, their countries and their rivers. " * 20
    model.chat(asking(f"{long} Name a city."))
    assert model.chat(asking(f"{long} Name a river.")).usage.cached > 100


def test_a_reply_that_was_cut_is_truncated(model):
    reply = model.chat(asking("Write the alphabet, letter by letter.", max_tokens=2))
    assert (reply.finish, reply.outcome, reply.usage.completion) == ("length", "truncated", 2)


def test_a_reply_to_a_schema_is_its_json(model):
    schema = {
        "$defs": {
            "City": {"type": "object", "properties": {"city": {"enum": ["Lima", "Quito"]}}, "required": ["city"]}
        },
        "type": "object",
        "properties": {"places": {"type": "array", "items": {"$ref": "#/$defs/City"}, "minItems": 1, "maxItems": 1}},
        "required": ["places"],
        "additionalProperties": False,
    }
    reply = model.chat(asking("Which is the capital of Peru? Answer in JSON.", schema=schema))
    assert json.loads(reply.text)["places"][0]["city"] in {"Lima", "Quito"}


def test_four_calls_at_once_say_what_single_calls_say(model):
    requests = [asking(f"What is the capital of {country}?", max_tokens=8) for country in COUNTRIES]
    alone = [model.chat(request).text for request in requests]
    with ThreadPoolExecutor(4) as pool:
        together = [reply.text for reply in pool.map(model.chat, requests)]
    assert together == alone


def test_more_threads_than_slots_are_all_answered(model):
    with ThreadPoolExecutor(10) as pool:
        replies = list(pool.map(lambda n: model.chat(asking(f"Say {n}.", max_tokens=3)), range(10)))
    assert all(reply.usage.completion in range(1, 4) for reply in replies)


def test_a_prompt_that_is_too_long_is_told_with_both_sizes(model):
    with pytest.raises(BackendError, match=r"the prompt has \d{4} tokens, the context holds 2048") as caught:
        model.chat(asking("word " * 3000))
    assert caught.value.fault == "context"


def test_a_call_that_takes_too_long_is_a_timeout_and_frees_its_slot(model):
    hurried = build(LocalConfig(max_tokens=500, timeout_s=0.2))
    with pytest.raises(BackendError, match=r"within 0\.2 s") as caught:
        hurried.chat(asking("Write a very long story."))
    assert caught.value.fault == "timeout"
    assert "Paris" in model.chat(asking("What is the capital of France?")).text


def test_sections_that_differ_in_limits_only_share_one_server(model):
    before = _threads()
    others = [build(LocalConfig(max_tokens=n, temperature=0.5, timeout_s=n)) for n in (5, 6)]
    assert _threads() == before
    assert others[0].chat(asking("Why?")).usage.completion <= 5


def test_interrupts_still_reach_python(model):
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_the_environment_is_left_as_it_was(model):
    assert "OMP_WAIT_POLICY" not in os.environ


def test_a_file_that_is_no_model_is_named(tmp_path):
    (tmp_path / "own.gguf").write_bytes(b"GGUF" * 100)
    with pytest.raises(BackendError, match=r"own\.gguf cannot be loaded as a model"):
        build(LocalConfig(model="own", path=str(tmp_path / "own.gguf")))


def test_the_cached_weights_are_whole(model):
    assert verify().stat().st_size == 491_400_064


def _threads() -> int:
    return len(list(Path("/proc/self/task").iterdir()))

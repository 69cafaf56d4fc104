from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from reflact import BackendError, ChatRequest, Message
from reflact.testing import FakeModelServer, FakeReply, FakeRequest
from reflact_backend_openai import OpenAIChat, OpenAIConfig

SCHEMA = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}


def model_at(server: FakeModelServer, **settings: Any) -> OpenAIChat:
    return OpenAIChat(OpenAIConfig(**{"base_url": f"{server.url}/v1", **settings}))


def asking(**more: Any) -> ChatRequest:
    return ChatRequest(messages=(Message(role="user", content="Where?"),), **more)


def fields(server: FakeModelServer, *names: str) -> list[list[str]]:
    return [[name for name in names if name in request.body] for request in server.requests]


@pytest.mark.parametrize("name", ["temperature", "reasoning_effort"])
def test_a_refused_parameter_is_left_out_from_then_on(name: str) -> None:
    with FakeModelServer(lambda _: "ok", refuse={name}) as server:
        model = model_at(server, temperature=0, effort="low")
        assert [model.chat(asking()).text for _ in range(3)] == ["ok"] * 3
        assert fields(server, name) == [[name], [], [], []]


def test_a_refused_name_of_the_token_limit_gives_way_to_the_other() -> None:
    with FakeModelServer(lambda _: "ok", refuse={"max_tokens"}) as server:
        model = model_at(server, max_tokens=16384)
        model.chat(asking())
        model.chat(asking())
        seen = fields(server, "max_tokens", "max_completion_tokens")
    assert seen == [["max_tokens"], ["max_completion_tokens"], ["max_completion_tokens"]]


def test_a_server_that_takes_no_schema_is_asked_for_json_and_then_for_text() -> None:
    refuse = {"response_format:json_schema", "response_format:json_object"}
    with FakeModelServer(lambda _: "{}", refuse=refuse) as server:
        model = model_at(server, max_tokens=16384)
        assert model.chat(asking(schema=SCHEMA)).text == "{}"
        model.chat(asking(schema=SCHEMA))
        kinds = [request.body.get("response_format", {}).get("type") for request in server.requests]
    assert kinds == ["json_schema", "json_object", None, None]


def test_a_server_that_refuses_several_things_is_learnt_step_by_step() -> None:
    refuse = {"max_tokens", "max_completion_tokens", "temperature", "reasoning_effort"}
    with FakeModelServer(lambda _: "ok", refuse=refuse) as server:
        model = model_at(server, max_tokens=16384, temperature=0, effort="max")
        assert model.chat(asking()).text == "ok"
        assert len(server.requests) == 5
        model.chat(asking())
        assert len(server.requests) == 6


def test_threads_that_meet_a_refusal_at_once_all_get_their_reply() -> None:
    refuse = {"max_tokens", "temperature", "response_format:json_schema"}
    with FakeModelServer(lambda request: FakeReply(text=request.text, latency_s=0.02), refuse=refuse) as server:
        model = model_at(server, temperature=0)
        with ThreadPoolExecutor(32) as pool:
            texts = list(pool.map(lambda _: model.chat(asking(schema=SCHEMA)).text, range(200)))
        assert len(server.requests) <= 200 + 3 * 32
    assert texts == ["Where?"] * 200


COMPLAINTS = [
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    "Unrecognized request argument supplied: max_tokens",
    "1 validation error: {'type': 'extra_forbidden', 'loc': ('body', 'max_tokens'), 'input': 16384}",
]


@pytest.mark.parametrize("message", COMPLAINTS)
def test_a_complaint_without_a_param_is_understood_from_its_message(message: str) -> None:
    def script(request: FakeRequest) -> FakeReply:
        return FakeReply(status=400, message=message) if "max_tokens" in request.body else FakeReply(text="ok")

    with FakeModelServer(script) as server:
        assert model_at(server, max_tokens=16384).chat(asking()).text == "ok"


TOO_LARGE = [
    "max_tokens is too large: 16384. This model supports at most 4096 completion tokens.",
    "'max_tokens' is too large: 16384. This model's maximum context length is 4096 tokens and your request has 50.",
    "maximum context length is 4096 tokens. You requested 16434 (50 in the messages, 16384 in the completion).",
]


@pytest.mark.parametrize("message", TOO_LARGE)
def test_a_limit_that_is_too_large_is_left_out_and_a_smaller_one_still_sent(message: str) -> None:
    def script(request: FakeRequest) -> FakeReply:
        large = request.body.get("max_tokens", 0) > 4096
        return FakeReply(status=400, message=message) if large else FakeReply(text="ok")

    with FakeModelServer(script) as server:
        model = model_at(server, max_tokens=16384)
        for tokens in (None, None, 512):
            assert model.chat(asking(max_tokens=tokens)).text == "ok"
        assert [request.body.get("max_tokens") for request in server.requests] == [16384, None, None, 512]


def test_a_prompt_that_is_too_long_by_itself_is_a_context_error() -> None:
    told = "maximum context length is 4096 tokens. You requested 20000 (9000 in the messages, 11000 in the completion)."
    with FakeModelServer(lambda _: FakeReply(status=400, code="context_length_exceeded", message=told)) as server:
        with pytest.raises(BackendError, match="Shorten the prompt") as caught:
            model_at(server, max_tokens=16384).chat(asking())
        assert len(server.requests) == 2
    assert caught.value.fault == "context"


def test_what_the_user_set_on_purpose_is_not_dropped() -> None:
    with FakeModelServer(lambda _: "ok", refuse={"chat_template_kwargs"}) as server:
        with pytest.raises(BackendError, match="chat_template_kwargs") as caught:
            model_at(server, thinking="off").chat(asking())
        assert len(server.requests) == 1
    assert caught.value.fault == "bad_request"

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from reflact import BackendError, ChatRequest, Message
from reflact.testing import FakeModelServer, FakeReply, FakeRequest
from reflact_backend_anthropic import ClaudeConfig
from reflact_backend_anthropic.model import ClaudeChat

SCHEMA = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}


def model_at(server: FakeModelServer, **settings: Any) -> ClaudeChat:
    return ClaudeChat(ClaudeConfig(**{"base_url": server.url, **settings}))


def asking(**more: Any) -> ChatRequest:
    messages = (Message(role="system", content="Be brief."), Message(role="user", content="Where?"))
    return ChatRequest(messages=messages, **more)


def outputs(server: FakeModelServer) -> list[list[str]]:
    return [sorted(request.body.get("output_config", {})) for request in server.requests]


@pytest.mark.parametrize(("name", "other"), [("effort", "format"), ("format", "effort")])
def test_a_refused_field_is_left_out_from_then_on(name: str, other: str) -> None:
    with FakeModelServer(lambda _: "ok", refuse={f"output_config.{name}"}) as server:
        model = model_at(server, effort="low")
        assert [model.chat(asking(schema=SCHEMA)).text for _ in range(3)] == ["ok"] * 3
        assert outputs(server) == [["effort", "format"], [other], [other], [other]]


COMPLAINTS = [
    ("output_config: Extra inputs are not permitted", []),
    ("This model does not support the effort parameter.", ["format"]),
    ("output_config.effort: Input should be 'low', 'medium' or 'high'", ["format"]),
    ("'claude-3-opus' does not support output format.", ["effort"]),
    ("output_config.format.schema: For 'object' type, recursion is not supported", ["effort"]),
]


@pytest.mark.parametrize(("complaint", "left"), COMPLAINTS)
def test_a_complaint_is_understood_from_its_message(complaint: str, left: list[str]) -> None:
    def script(request: FakeRequest) -> FakeReply:
        return FakeReply(text="ok") if request.index else FakeReply(status=400, message=complaint)

    with FakeModelServer(script) as server:
        assert model_at(server, effort="low").chat(asking(schema=SCHEMA)).text == "ok"
        assert outputs(server) == [["effort", "format"], left]


def test_a_server_without_a_cache_gets_no_marks() -> None:
    def script(request: FakeRequest) -> FakeReply:
        marked = any("cache_control" in block for block in request.body["system"])
        told = "system.0.cache_control: Extra inputs are not permitted"
        return FakeReply(status=400, message=told) if marked else FakeReply(text="ok")

    with FakeModelServer(script) as server:
        model = model_at(server)
        assert [model.chat(asking()).text for _ in range(2)] == ["ok"] * 2
        assert len(server.requests) == 3


def test_a_limit_above_the_models_is_lowered_and_a_smaller_one_still_sent() -> None:
    told = "max_tokens: 16384 > 8192, which is the maximum allowed number of output tokens for claude-3-5-haiku"

    def script(request: FakeRequest) -> FakeReply:
        return FakeReply(status=400, message=told) if request.body["max_tokens"] > 8192 else FakeReply(text="ok")

    with FakeModelServer(script) as server:
        model = model_at(server)
        for tokens in (None, None, 512):
            assert model.chat(asking(max_tokens=tokens)).text == "ok"
        assert [request.body["max_tokens"] for request in server.requests] == [16384, 8192, 8192, 512]


def test_threads_that_meet_a_refusal_at_once_all_get_their_reply() -> None:
    refuse = {"output_config.effort", "output_config.format"}
    with FakeModelServer(lambda request: FakeReply(text=request.text, latency_s=0.02), refuse=refuse) as server:
        model = model_at(server, effort="low")
        with ThreadPoolExecutor(16) as pool:
            texts = list(pool.map(lambda _: model.chat(asking(schema=SCHEMA)).text, range(64)))
        assert len(server.requests) <= 64 + 2 * 16
    assert texts == ["Where?"] * 64


@pytest.mark.parametrize("settings", [{"thinking": "on"}, {"extra_body": {"temperature": 0}}])
def test_what_the_user_set_on_purpose_is_not_dropped(settings: dict[str, object]) -> None:
    name = "thinking" if "thinking" in settings else "temperature"
    with FakeModelServer(lambda _: "ok", refuse={name}) as server:
        with pytest.raises(BackendError, match=name) as caught:
            model_at(server, effort="low", **settings).chat(asking())
        assert len(server.requests) == 1
    assert caught.value.fault == "bad_request"

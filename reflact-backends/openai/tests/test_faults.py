import time
from typing import Any

import pytest
from reflact import BackendError, ChatRequest, Message
from reflact.errors import BackendFault
from reflact.testing import FakeModelServer, FakeReply
from reflact_backend_openai import OpenAIChat, OpenAIConfig

ASK = ChatRequest(messages=(Message(role="user", content="Where?"),))
KEY = "sk-proj-0123456789abcdef"


def model_at(url: str, **settings: Any) -> OpenAIChat:
    return OpenAIChat(OpenAIConfig(**{"base_url": f"{url}/v1", "api_key": KEY, **settings}))


def error_at(url: str, **settings: Any) -> BackendError:
    with pytest.raises(BackendError) as caught:
        model_at(url, **settings).chat(ASK)
    return caught.value


FAULTS: list[tuple[FakeReply, BackendFault, str]] = [
    (FakeReply(status=401, code="invalid_api_key"), "auth", "Check the key (api_key)"),
    (FakeReply(status=403), "auth", "Check the key"),
    (FakeReply(status=402, message="Insufficient Balance"), "quota", "top it up"),
    (FakeReply(status=429, code="insufficient_quota"), "quota", "top it up"),
    (FakeReply(status=429, message="You exceeded your current quota, please check your plan"), "quota", "top it up"),
    (FakeReply(status=429, code="rate_limit_exceeded"), "rate_limit", "fewer workers"),
    (FakeReply(status=404, code="model_not_found"), "bad_request", "Check `model` (gpt-5.4) and `base_url`"),
    (FakeReply(status=400, code="context_length_exceeded"), "context", "Shorten the prompt"),
    (FakeReply(status=400, message="the request exceeds the available context size"), "context", "Shorten"),
    (FakeReply(status=413), "context", "Shorten"),
    (FakeReply(status=400, message="tools are not for this model"), "bad_request", "tools are not for this model"),
    (FakeReply(status=500), "unavailable", "500 from http://127.0.0.1"),
    (FakeReply(status=504), "timeout", "`timeout_s`"),
    (FakeReply(drop=True), "unavailable", "Is the server running"),
    (FakeReply(bad_json=True), "protocol", "Is `base_url` right?"),
]


@pytest.mark.parametrize(("reply", "fault", "told"), FAULTS)
def test_every_failure_has_its_fault_and_its_advice(reply: FakeReply, fault: BackendFault, told: str) -> None:
    with FakeModelServer(lambda _: reply) as server:
        error = error_at(server.url)
    assert error.fault == fault
    assert told in str(error)
    assert error.fatal == (fault in ("auth", "quota"))


def test_the_servers_words_and_ours_are_separate_sentences() -> None:
    with FakeModelServer(lambda _: FakeReply(status=404, message="The model is gone.")) as server:
        assert "404 from http://127.0.0.1" in str(error := error_at(server.url))
    assert ": The model is gone. Check `model` (gpt-5.4)" in str(error)


@pytest.mark.parametrize("status", [408, 429, 500, 503])
def test_one_call_is_one_attempt(status: int) -> None:
    with FakeModelServer(lambda _: FakeReply(status=status, retry_after=0.01)) as server:
        assert error_at(server.url).passing
        assert len(server.requests) == 1


def test_a_wait_of_hours_is_reported_not_waited_for() -> None:
    with FakeModelServer(lambda _: FakeReply(status=429, retry_after=7200)) as server:
        start = time.monotonic()
        assert error_at(server.url).retry_after_s == 7200
        assert time.monotonic() - start < 5


@pytest.mark.parametrize("code", ["content_filter", "invalid_prompt"])
def test_a_content_filter_is_a_refusal_not_an_error(code: str) -> None:
    with FakeModelServer(lambda _: FakeReply(status=400, code=code, param="temperature")) as server:
        reply = model_at(server.url, temperature=0).chat(ASK)
        assert len(server.requests) == 1
    assert (reply.finish, reply.text, reply.usage.calls) == ("refused", "", 1)


def test_a_timeout_names_the_server_and_the_setting() -> None:
    with FakeModelServer(lambda _: FakeReply(hang_s=30)) as server:
        error = error_at(server.url, timeout_s=0.2)
        assert f"no reply from {server.url}/v1 within 0.2 s" in str(error)
    assert "`timeout_s`" in str(error)


def test_a_host_that_does_not_exist_is_named() -> None:
    error = error_at("http://no-such-host.invalid")
    assert error.fault == "unavailable"
    assert "no-such-host.invalid" in str(error)


def test_no_key_is_ever_shown() -> None:
    told = f"Incorrect API key provided: {KEY}. Headers: Bearer another-secret, X-Pass: hidden-word"
    settings = {"headers": {"X-Pass": "hidden-word"}}
    with FakeModelServer(lambda _: FakeReply(status=401, message=told)) as server:
        error = error_at(server.url, **settings)
    assert "Incorrect API key provided: ***" in str(error)
    for secret in (KEY, "another-secret", "hidden-word"):
        assert secret not in str(error)
        assert secret not in repr(OpenAIConfig(api_key=KEY, **settings))

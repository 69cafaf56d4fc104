import time
from typing import Any

import pytest
from reflact import BackendError, ChatRequest, Message
from reflact.errors import BackendFault
from reflact.llm.complaints import redactor
from reflact.testing import FakeModelServer, FakeReply
from reflact_backend_anthropic import ClaudeConfig
from reflact_backend_anthropic.model import ClaudeChat

ASK = ChatRequest(messages=(Message(role="user", content="Where?"),))
KEY = "sk-ant-api03-0123456789abcdef"
LONG = "input length and `max_tokens` exceed context limit: 190000 + 16384 > 200000, decrease input length"


def error_at(url: str, **settings: Any) -> BackendError:
    config = ClaudeConfig(**{"base_url": url, "api_key": KEY, **settings})
    with pytest.raises(BackendError) as caught:
        ClaudeChat(config).chat(ASK)
    return caught.value


FAULTS: list[tuple[FakeReply, BackendFault, str]] = [
    (FakeReply(status=401, message="invalid x-api-key"), "auth", "Check the key (api_key)"),
    (FakeReply(status=403), "auth", "Check the key"),
    (FakeReply(status=402), "quota", "top it up"),
    (FakeReply(status=400, message="Your credit balance is too low to access the API"), "quota", "top it up"),
    (FakeReply(status=400, message="You have reached your specified API usage limits"), "quota", "top it up"),
    (FakeReply(status=429), "rate_limit", "fewer workers"),
    (FakeReply(status=404, message="model: claude-9"), "bad_request", "Check `model` (claude-sonnet-4-6)"),
    (FakeReply(status=400, message="prompt is too long: 210000 tokens > 200000 maximum"), "context", "Shorten"),
    (FakeReply(status=400, message=LONG), "context", "Shorten"),
    (FakeReply(status=413), "context", "Shorten"),
    (FakeReply(status=400, message="messages: at least one message is required"), "bad_request", "at least one"),
    (FakeReply(status=500), "unavailable", "500 from http://127.0.0.1"),
    (FakeReply(status=529, message="Overloaded"), "unavailable", "The server is overloaded: use fewer workers"),
    (FakeReply(status=504), "timeout", "`timeout_s`"),
    (FakeReply(drop=True), "unavailable", "Is the server running"),
    (FakeReply(bad_json=True), "protocol", "Is `base_url` right?"),
]


@pytest.mark.parametrize(("reply", "fault", "told"), FAULTS)
def test_every_failure_has_its_fault_and_its_advice(reply: FakeReply, fault: BackendFault, told: str) -> None:
    with FakeModelServer(lambda _: reply) as server:
        error = error_at(server.url)
        assert len(server.requests) == 1
    assert error.fault == fault
    assert told in str(error)
    assert error.fatal == (fault in ("auth", "quota"))


def test_the_servers_words_and_ours_are_separate_sentences() -> None:
    with FakeModelServer(lambda _: FakeReply(status=404, message="The model is gone.")) as server:
        error = str(error_at(server.url))
    assert f"404 from {server.url}: The model is gone. Check `model`" in error


@pytest.mark.parametrize("status", [529, 500, 429])
def test_one_call_is_one_attempt(status: int) -> None:
    with FakeModelServer(lambda _: FakeReply(status=status, retry_after=0.01)) as server:
        assert error_at(server.url).retry_after_s == 0.01
        assert len(server.requests) == 1


def test_a_wait_of_hours_is_reported_not_waited_for() -> None:
    with FakeModelServer(lambda _: FakeReply(status=429, retry_after=7200)) as server:
        start = time.monotonic()
        assert error_at(server.url).retry_after_s == 7200
        assert time.monotonic() - start < 5


def test_a_timeout_names_the_server_and_the_setting() -> None:
    with FakeModelServer(lambda _: FakeReply(hang_s=30)) as server:
        error = error_at(server.url, timeout_s=0.2)
        assert f"no reply from {server.url} within 0.2 s" in str(error)
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
        assert secret not in repr(ClaudeConfig.model_validate({"api_key": KEY, **settings}))


def test_words_that_only_resemble_a_key_stay() -> None:
    assert redactor(["none"])("none of the task-based sk rules; risk-free sk-ant-12345678") == (
        "none of the task-based sk rules; risk-free ***"
    )

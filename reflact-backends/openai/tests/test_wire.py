"""What servers do that has cost others wrong scores or money; see the file's names."""

import json
from typing import Any

import pytest
from reflact import BackendError, ChatRequest, Message, Tool
from reflact.testing import FakeModelServer, FakeReply, FakeRequest
from reflact.types import Usage
from reflact_backend_openai import OpenAIChat, OpenAIConfig

LOOK = Tool(name="look", description="Looks.", parameters={"type": "object", "properties": {}})
SPENT = Usage(calls=1, prompt=10, completion=400, reasoning=400)
APIS = pytest.mark.parametrize("api", ["chat", "responses"])


def model_at(server: FakeModelServer, **settings: Any) -> OpenAIChat:
    return OpenAIChat(OpenAIConfig(**{"base_url": f"{server.url}/v1", **settings}))


def asking(**fields: Any) -> ChatRequest:
    return ChatRequest(messages=(Message(role="user", content="Where?"),), **fields)


def limits(server: FakeModelServer) -> list[int]:
    names = ("max_tokens", "max_completion_tokens", "max_output_tokens")
    return [next(one.body[name] for name in names if name in one.body) for one in server.requests]


@APIS
def test_a_model_that_thought_all_its_tokens_away_gets_more_of_them(api: str) -> None:
    def script(request: FakeRequest) -> FakeReply:
        enough = 1600 in request.body.values()
        return FakeReply(text="Lima") if enough else FakeReply(finish="length", usage=SPENT)

    with FakeModelServer(script) as server:
        model = model_at(server, api=api)
        first, second = (model.chat(asking(max_tokens=400)) for _ in range(2))
        assert limits(server) == [400, 1600, 1600]
    assert (first.text, first.outcome, first.usage.calls, first.usage.reasoning) == ("Lima", "ok", 2, 400)
    assert (second.text, second.usage.calls) == ("Lima", 1)


@APIS
@pytest.mark.parametrize(("most", "expected"), [(None, [400, 1600]), (700, [400, 700]), (400, [400])])
def test_a_model_that_never_says_a_word_is_truncated_not_empty(api: str, most: int | None, expected: list[int]) -> None:
    with FakeModelServer(lambda _: FakeReply(finish="length", usage=SPENT)) as server:
        reply = model_at(server, api=api, max_tokens=most).chat(asking(max_tokens=400))
        assert limits(server) == expected
    assert (reply.outcome, reply.usage.calls, reply.usage.completion) == (
        "truncated",
        len(expected),
        400 * len(expected),
    )


@APIS
@pytest.mark.parametrize(
    "reply",
    [
        FakeReply(status=400, code="content_filter", message="The response was filtered"),
        FakeReply(finish="refused"),
        FakeReply(refusal="I will not."),
    ],
)
def test_a_content_filter_is_a_refusal_in_each_of_its_forms(api: str, reply: FakeReply) -> None:
    with FakeModelServer(lambda _: reply) as server:
        assert model_at(server, api=api).chat(asking()).outcome == "refused"
        assert len(server.requests) == 1


@pytest.mark.parametrize(
    "reply",
    [
        FakeReply(status=429, code="insufficient_quota"),
        FakeReply(status=429, retry_after=7200),
        FakeReply(status=401),
        FakeReply(status=400),
    ],
)
def test_a_failure_is_reported_after_one_attempt(reply: FakeReply) -> None:
    with FakeModelServer(lambda _: reply) as server:
        with pytest.raises(BackendError):
            model_at(server).chat(asking())
        assert len(server.requests) == 1


@APIS
def test_a_strict_server_gets_nothing_it_does_not_know(api: str) -> None:
    vendors = {"chat_template_kwargs", "enable_thinking", "thinking", "seed", "metadata", "top_p", "user"}
    with FakeModelServer(lambda _: "ok", refuse=vendors) as server:
        assert model_at(server, api=api).chat(asking()).text == "ok"
        assert len(server.requests) == 1


@APIS
@pytest.mark.parametrize(
    ("thinking", "sent"),
    [("on", {"enable_thinking": True}), ("off", {"enable_thinking": False}), ("server_default", None)],
)
def test_thinking_is_on_off_or_the_servers_own(api: str, thinking: str, sent: dict[str, bool] | None) -> None:
    with FakeModelServer(lambda _: "ok") as server:
        model_at(server, api=api, thinking=thinking).chat(asking())
        assert server.requests[0].body.get("chat_template_kwargs") == sent


@APIS
def test_what_is_left_out_is_never_sent(api: str) -> None:
    left_out = ["temperature", "effort", "max_tokens", "schema", "store"]
    asked = asking(temperature=0, effort="high", max_tokens=9, schema={"type": "object", "properties": {}})
    with FakeModelServer(lambda _: "{}") as server:
        model_at(server, api=api, leave_out=left_out, temperature=1, max_tokens=5).chat(asked)
        assert set(server.requests[0].body) == {"model", "messages" if api == "chat" else "input"}


@APIS
@pytest.mark.parametrize(
    "text", ['<tool_call>{"name": "look"}</tool_call>', "Sure.\n<function=look></function>", '[TOOL_CALLS][{"name":']
)
def test_a_tool_call_printed_as_text_is_the_servers_fault(api: str, text: str) -> None:
    with FakeModelServer(lambda _: text) as server:
        model = model_at(server, api=api)
        with pytest.raises(BackendError, match=r"as text, not as a tool call.*tool parser") as caught:
            model.chat(asking(tools=(LOOK,)))
        assert model.chat(asking()).text == text
        assert model.chat(asking(tools=(LOOK,), tool_choice="none")).text == text
    assert caught.value.fault == "protocol"


@APIS
@pytest.mark.parametrize(
    ("cost", "usd"), [(0.25, 0.25), (0, 0.0), (True, None), (float("nan"), None), (-1, None), ("1", None), (None, None)]
)
def test_only_an_amount_of_money_is_a_cost(api: str, cost: object, usd: float | None) -> None:
    with FakeModelServer(lambda _: FakeReply(text="ok", cost=cost)) as server:
        assert model_at(server, api=api).chat(asking()).usd == usd


@APIS
def test_usage_adds_up_to_what_the_server_counted(api: str) -> None:
    counts = [Usage(calls=1, prompt=n, cached=n // 2, completion=2 * n, reasoning=n) for n in (10, 20, 30)]
    with FakeModelServer(lambda request: FakeReply(text="ok", usage=counts[request.index])) as server:
        model = model_at(server, api=api)
        spent = sum((model.chat(asking()).usage for _ in counts), Usage())
    assert spent == sum(counts, Usage())


def test_equal_requests_differ_in_nothing_on_the_wire() -> None:
    with FakeModelServer(lambda _: "ok") as server:
        model = model_at(server, temperature=0.5)
        for repeat in range(3):
            model.chat(asking(repeat=repeat))
        assert len({json.dumps(one.body) for one in server.requests}) == 1


MARK = "marker-7f3a9c"


@pytest.mark.parametrize("status", [400, 401, 403, 404, 429, 500])
@pytest.mark.parametrize("late", [False, True])
def test_no_secret_is_in_an_error_wherever_it_was_set(status: int, late: bool) -> None:
    settings = {"api_key": f"{MARK}-key", "headers": {"X-Pass": f"{MARK}-header"}}
    told = f"no: {MARK}-key {MARK}-header"
    reply = FakeReply(status=status, message=told, code=f"{MARK}-key", late=late)
    with FakeModelServer(lambda _: reply) as server, pytest.raises(BackendError) as caught:
        model_at(server, **settings).chat(asking())
    assert MARK not in str(caught.value) and MARK not in repr(caught.value)


def test_a_key_of_the_environment_is_not_shown_either(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", f"{MARK}-env")
    told = pytest.raises(BackendError, match=r"Check the key \(\$MY_KEY\)")
    with FakeModelServer(lambda _: "ok", key="another") as server, told as caught:
        model_at(server, api_key_env="MY_KEY").chat(asking())
    assert MARK not in str(caught.value)


def test_a_key_of_azure_is_not_shown_either() -> None:
    settings = {"azure_openai_api_key": f"{MARK}-azure", "azure_openai_api_version": "2025-04-01-preview"}
    with FakeModelServer(lambda _: "ok", key="another") as server:
        config = OpenAIConfig.model_validate({"azure_openai_endpoint": server.url, **settings})
        with pytest.raises(BackendError, match=r"Check the key \(azure_openai_api_key\)") as caught:
            OpenAIChat(config).chat(asking())
    assert MARK not in str(caught.value) and MARK not in repr(config)

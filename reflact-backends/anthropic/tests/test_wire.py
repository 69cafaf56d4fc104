from typing import Any

import pytest
from reflact import BackendError, ChatRequest, Message
from reflact.testing import FakeModelServer, FakeReply, FakeRequest
from reflact.types import Usage
from reflact_backend_anthropic import ClaudeConfig
from reflact_backend_anthropic.model import ClaudeChat

SPENT = Usage(calls=1, prompt=10, completion=400, reasoning=400)
SCHEMA = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
MARK = "marker-7f3a9c"


def model_at(server: FakeModelServer, **settings: Any) -> ClaudeChat:
    return ClaudeChat(ClaudeConfig(**{"base_url": server.url, **settings}))


def asking(**fields: Any) -> ChatRequest:
    return ChatRequest(messages=(Message(role="user", content="Where?"),), **fields)


def test_a_model_that_thought_all_its_tokens_away_gets_more_of_them() -> None:
    def script(request: FakeRequest) -> FakeReply:
        enough = request.body["max_tokens"] >= 1600
        return FakeReply(text="Lima") if enough else FakeReply(finish="length", reasoning="hm", usage=SPENT)

    with FakeModelServer(script) as server:
        model = model_at(server)
        first, second = (model.chat(asking(max_tokens=400)) for _ in range(2))
        assert [one.body["max_tokens"] for one in server.requests] == [400, 1600, 1600]
    assert (first.text, first.outcome, first.usage.calls, first.usage.reasoning) == ("Lima", "ok", 2, 400)
    assert second.usage.calls == 1


@pytest.mark.parametrize(("most", "calls"), [(400, 1), (700, 2)])
def test_a_model_that_never_says_a_word_is_truncated_not_empty(most: int, calls: int) -> None:
    with FakeModelServer(lambda _: FakeReply(finish="length", usage=SPENT)) as server:
        reply = model_at(server, max_tokens=most).chat(asking(max_tokens=400))
        assert [one.body["max_tokens"] for one in server.requests] == [400, most][:calls]
    assert (reply.outcome, reply.usage.calls) == ("truncated", calls)


def test_what_is_left_out_is_never_sent() -> None:
    with FakeModelServer(lambda _: "{}") as server:
        model_at(server, leave_out=["effort", "schema"], effort="high").chat(asking(schema=SCHEMA))
        assert "output_config" not in server.requests[0].body


@pytest.mark.parametrize(("cost", "usd"), [(0.25, 0.25), (True, None), (float("nan"), None), (-1, None)])
def test_only_an_amount_of_money_is_a_cost(cost: object, usd: float | None) -> None:
    with FakeModelServer(lambda _: FakeReply(text="ok", cost=cost)) as server:
        assert model_at(server).chat(asking()).usd == usd


@pytest.mark.parametrize("status", [400, 401, 403, 404, 429, 529])
@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("key_header", ["authorization", "x-api-key"])
def test_no_secret_is_in_an_error_wherever_it_was_set(status: int, late: bool, key_header: str) -> None:
    settings = {"api_key": f"{MARK}-key", "headers": {"X-Pass": f"{MARK}-header"}, "key_header": key_header}
    reply = FakeReply(status=status, message=f"no: {MARK}-key {MARK}-header", late=late)
    with FakeModelServer(lambda _: reply) as server, pytest.raises(BackendError) as caught:
        model_at(server, **settings).chat(asking())
    assert MARK not in str(caught.value)
    assert MARK not in repr(ClaudeConfig(**settings))


def test_a_key_is_not_carried_to_where_a_server_redirects() -> None:
    with FakeModelServer(lambda _: "caught") as other:
        moved = FakeReply(status=308, headers={"location": f"{other.url}/v1/messages"})
        with FakeModelServer(lambda _: moved) as server, pytest.raises(BackendError, match="Set `base_url` to where"):
            model_at(server, api_key="sk-mine").chat(asking())
        assert not other.requests

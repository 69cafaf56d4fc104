import json
from collections.abc import Mapping, Sequence
from contextlib import closing
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import pytest
from reflact.testing import FakeModelServer, FakeReply
from reflact.types import ToolCall, Usage


def send(
    server: FakeModelServer, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None
) -> tuple[int, bytes]:
    address = urlsplit(server.url)
    with closing(HTTPConnection(str(address.hostname), address.port, timeout=10)) as link:
        link.request(method, path, None if body is None else json.dumps(body), dict(headers or {}))
        response = link.getresponse()
        return response.status, response.read()


def ask(server: FakeModelServer, given: Any = "hello", *, path: str = "/v1/responses", **fields: Any) -> dict[str, Any]:
    return dict(json.loads(send(server, "POST", path, {"model": "m", "input": given, **fields})[1]))


def streamed(server: FakeModelServer, **fields: Any) -> Sequence[dict[str, Any]]:
    raw = send(server, "POST", "/v1/responses", {"model": "m", "input": "hi", "stream": True, **fields})[1].decode()
    return [json.loads(event.partition("data: ")[2]) for event in raw.split("\n\n") if event]


def test_a_text_is_sent_as_a_completed_response() -> None:
    with FakeModelServer(lambda request: request.text.upper()) as server:
        got = ask(server, "grüße")
        assert server.requests[0].api == "responses"
    assert (got["status"], got["output"][0]["content"][0]["text"]) == ("completed", "GRÜSSE")
    assert (got["usage"]["input_tokens"], got["usage"]["output_tokens"]) == (2, 2)


def test_the_script_sees_instructions_the_last_question_and_what_tools_gave() -> None:
    given = [
        {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "be brief"}]},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "how many files?"}]},
        {"type": "function_call", "call_id": "c1", "name": "shell", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c1", "output": "two"},
        {"type": "custom_tool_call_output", "call_id": "c2", "output": [{"type": "input_text", "text": "three"}]},
    ]
    with FakeModelServer(lambda _: "ok") as server:
        ask(server, given, instructions="You count.")
        seen = server.requests[0]
    assert (seen.text, seen.system, seen.results) == ("how many files?", "You count.\nbe brief", ("two", "three"))


def test_a_stream_adds_up_to_the_response_it_ends_with() -> None:
    text = "a long answer " * 10
    call = ToolCall(id="c1", name="shell", arguments='{"command": "ls"}')
    with FakeModelServer(lambda _: FakeReply(text=text, reasoning="hm", tool_calls=(call,))) as server:
        events = streamed(server)
    done = [one["item"] for one in events if one["type"] == "response.output_item.done"]
    assert [one["type"] for one in events][:2] == ["response.created", "response.in_progress"]
    assert "".join(one["delta"] for one in events if one["type"] == "response.output_text.delta") == text
    assert [one["type"] for one in done] == ["reasoning", "message", "function_call"]
    assert events[-1]["type"] == "response.completed"
    assert events[-1]["response"]["output"] == done
    assert [one["sequence_number"] for one in events] == list(range(len(events)))


@pytest.mark.parametrize("among_input", [False, True])
def test_a_call_of_a_custom_tool_has_its_input_as_it_is(among_input: bool) -> None:
    tools = [{"type": "custom", "name": "apply_patch"}]
    given = [{"type": "additional_tools", "tools": [{"type": "namespace", "name": "functions", "tools": tools}]}]
    call = ToolCall(id="c1", name="apply_patch", arguments="*** Begin Patch")
    with FakeModelServer(lambda _: FakeReply(tool_calls=(call,))) as server:
        got = ask(server, given) if among_input else ask(server, tools=tools)
    item = got["output"][0]
    assert (item["type"], item["call_id"], item["input"]) == ("custom_tool_call", "c1", "*** Begin Patch")


@pytest.mark.parametrize(
    ("reply", "status", "reason"),
    [
        (FakeReply(text="half", finish="length"), "incomplete", {"reason": "max_output_tokens"}),
        (FakeReply(finish="refused"), "incomplete", {"reason": "content_filter"}),
        (FakeReply(refusal="I will not."), "completed", None),
    ],
)
def test_an_answer_that_is_not_whole_says_why(reply: FakeReply, status: str, reason: object) -> None:
    with FakeModelServer(lambda _: reply) as server:
        got = ask(server)
        last = streamed(server)[-1]
    assert (got["status"], got["incomplete_details"]) == (status, reason)
    assert last["type"] == f"response.{status}"


def test_a_late_failure_comes_after_a_200_in_every_form() -> None:
    reply = FakeReply(status=500, message="overheated", late=True)
    with FakeModelServer(lambda _: reply) as server:
        failed, ended = ask(server), streamed(server)[-1]
        status, raw = send(server, "POST", "/v1/chat/completions", {"messages": []})
        _, events = send(server, "POST", "/v1/messages", {"messages": [], "stream": True})
    assert (failed["status"], failed["error"]["message"]) == ("failed", "overheated")
    assert (ended["type"], ended["response"]["error"]["message"]) == ("response.failed", "overheated")
    assert (status, json.loads(raw)["error"]["message"]) == (200, "overheated")
    assert events.startswith(b"event: error\n")


def test_usage_and_cost_are_as_the_script_says() -> None:
    counts = Usage(calls=1, prompt=100, cached=60, completion=9, reasoning=4)
    with FakeModelServer(lambda _: FakeReply(usage=counts, cost=0.25)) as server:
        used = ask(server)["usage"]
    assert (used["input_tokens"], used["input_tokens_details"], used["cost"]) == (100, {"cached_tokens": 60}, 0.25)
    assert (used["output_tokens"], used["output_tokens_details"]) == (9, {"reasoning_tokens": 4})


@pytest.mark.parametrize(
    ("path", "model", "status"),
    [
        ("/openai/deployments/my%20gpt/chat/completions?api-version=2025-04-01-preview", "my gpt", 200),
        ("/openai/deployments/mine/chat/completions", "", 404),
        ("/openai/responses?api-version=2025-04-01-preview", "m", 200),
        ("/openai/v1/responses", "m", 200),
        ("/openai/v1/chat/completions", "m", 200),
    ],
)
def test_the_paths_of_azure_lead_to_the_same_script(path: str, model: str, status: int) -> None:
    with FakeModelServer(lambda _: "ok", key="right") as server:
        got, _ = send(server, "POST", path, {"model": "m", "messages": []}, {"api-key": "right"})
        seen = [(one.model, one.path) for one in server.requests]
    assert got == status
    assert seen == ([(model, path)] if status == 200 else [])


def test_what_claude_code_asks_besides_is_answered() -> None:
    body = {"messages": [{"role": "user", "content": "12345678"}], "system": "1234"}
    with FakeModelServer(lambda _: "ok") as server:
        alive, nothing = send(server, "HEAD", "/api/hello")
        _, counted = send(server, "POST", "/v1/messages/count_tokens?beta=true", body)
        said, _ = send(server, "POST", "/v1/messages?beta=true", body)
        assert len(server.requests) == 1
    assert (alive, nothing, json.loads(counted), said) == (200, b"", {"input_tokens": 3}, 200)


def test_a_model_can_be_looked_up() -> None:
    with FakeModelServer(lambda _: "ok") as server:
        assert json.loads(send(server, "GET", "/v1/models/gpt-5.4")[1])["id"] == "gpt-5.4"

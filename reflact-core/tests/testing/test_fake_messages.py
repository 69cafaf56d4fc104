import json
from collections.abc import Mapping
from contextlib import closing
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import pytest
from reflact.testing import FakeModelServer, FakeReply
from reflact.types import ToolCall, Usage


def post(
    server: FakeModelServer, text: str = "hello", *, headers: Mapping[str, str] | None = None, **fields: Any
) -> tuple[int, bytes]:
    body = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": text}], **fields}
    address = urlsplit(server.url)
    with closing(HTTPConnection(str(address.hostname), address.port, timeout=10)) as link:
        link.request("POST", "/v1/messages", json.dumps(body), dict(headers or {}))
        response = link.getresponse()
        return response.status, response.read()


def answer(server: FakeModelServer, **fields: Any) -> dict[str, Any]:
    return dict(json.loads(post(server, **fields)[1]))


def test_a_text_is_sent_as_a_finished_message() -> None:
    with FakeModelServer(lambda request: request.text.upper()) as server:
        got = answer(server, text="grüße")
    assert (got["type"], got["role"], got["model"], got["stop_reason"]) == ("message", "assistant", "m", "end_turn")
    assert got["content"] == [{"type": "text", "text": "GRÜSSE"}]
    assert (got["usage"]["input_tokens"], got["usage"]["output_tokens"]) == (2, 2)


@pytest.mark.parametrize("system", ["be brief", [{"type": "text", "text": "be"}, {"type": "text", "text": "brief"}]])
def test_the_script_sees_the_system_text_and_the_key(system: object) -> None:
    with FakeModelServer(lambda _: "ok") as server:
        post(server, system=system, headers={"X-Api-Key": "sk-1"})
        seen = server.requests[0]
    assert (seen.system.split(), seen.text, seen.body["max_tokens"]) == (["be", "brief"], "hello", 9)
    assert (seen.headers["x-api-key"], seen.api) == ("sk-1", "messages")


@pytest.mark.parametrize("header", [{"X-Api-Key": "right"}, {"Authorization": "Bearer right"}])
def test_the_key_is_taken_from_either_header(header: dict[str, str]) -> None:
    with FakeModelServer(lambda _: "ok", key="right") as server:
        assert post(server, headers=header)[0] == 200
        status, raw = post(server, headers={"X-Api-Key": "wrong"})
    assert (status, json.loads(raw)["error"]["type"]) == (401, "authentication_error")


@pytest.mark.parametrize(
    ("reply", "stop", "texts"),
    [
        (FakeReply(text="half", finish="length"), "max_tokens", ["half"]),
        (FakeReply(finish="refused"), "refusal", []),
        (FakeReply(refusal="I will not."), "refusal", ["I will not."]),
    ],
)
def test_every_ending_has_its_stop_reason(reply: FakeReply, stop: str, texts: list[str]) -> None:
    with FakeModelServer(lambda _: reply) as server:
        got = answer(server)
    assert (got["stop_reason"], [block["text"] for block in got["content"]]) == (stop, texts)


def test_thoughts_texts_and_tool_calls_are_blocks_of_their_own() -> None:
    reply = FakeReply(text="see", reasoning="hm", tool_calls=(ToolCall(id="c1", name="look", arguments='{"at": 1}'),))
    with FakeModelServer(lambda _: reply) as server:
        got = answer(server)
    assert [block["type"] for block in got["content"]] == ["thinking", "text", "tool_use"]
    assert got["content"][2] == {"type": "tool_use", "id": "c1", "name": "look", "input": {"at": 1}}
    assert got["stop_reason"] == "tool_use"


def test_given_usage_counts_the_cache_apart_and_absent_usage_is_left_out() -> None:
    counts = Usage(calls=1, prompt=100, cached=60, completion=9, reasoning=4)
    replies = [FakeReply(usage=counts), FakeReply(usage="absent")]
    with FakeModelServer(lambda request: replies[request.index]) as server:
        given, absent = (answer(server) for _ in replies)
    assert given["usage"] == {
        "input_tokens": 40,
        "cache_read_input_tokens": 60,
        "cache_creation_input_tokens": 0,
        "output_tokens": 9,
        "output_tokens_details": {"thinking_tokens": 4},
    }
    assert "usage" not in absent


@pytest.mark.parametrize(
    ("status", "kind"),
    [(400, "invalid_request_error"), (429, "rate_limit_error"), (500, "api_error"), (529, "overloaded_error")],
)
def test_an_error_has_the_type_of_its_status(status: int, kind: str) -> None:
    with FakeModelServer(lambda _: FakeReply(status=status, message="no", code="why")) as server:
        got, raw = post(server)
    error = {"type": kind, "message": "no", "details": {"error_code": "why"}}
    assert (got, json.loads(raw)) == (status, {"type": "error", "error": error})


def test_a_field_inside_a_field_can_be_refused() -> None:
    with FakeModelServer(lambda _: "ok", refuse={"output_config.effort"}) as server:
        refused, raw = post(server, output_config={"effort": "low"})
        taken = [post(server, **fields)[0] for fields in ({}, {"output_config": {"format": {}}})]
    assert (refused, taken) == (400, [200, 200])
    assert "output_config.effort" in json.loads(raw)["error"]["message"]


def test_a_stream_holds_the_same_answer_as_events() -> None:
    text = "a long answer " * 10
    reply = FakeReply(text=text, tool_calls=(ToolCall(id="c1", name="look", arguments='{"at": 1}'),))
    with FakeModelServer(lambda _: reply) as server:
        raw = post(server, stream=True)[1].decode()
    sent = [event.partition("\ndata: ") for event in raw.split("\n\n") if event]
    events = [json.loads(data) for _, _, data in sent]
    assert [name for name, _, _ in sent] == [f"event: {event['type']}" for event in events]
    deltas = [event["delta"] for event in events if event["type"] == "content_block_delta"]
    assert "".join(one.get("text", "") for one in deltas) == text
    assert "".join(one.get("partial_json", "") for one in deltas) == '{"at": 1}'
    assert events[-2]["delta"]["stop_reason"] == "tool_use"
    assert events[-2]["usage"]["output_tokens"] == 38


def test_the_step_of_an_agent_is_how_many_tools_have_answered() -> None:
    result = {"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": "two files"}]}
    messages = [
        {"role": "user", "content": [{"type": "text", "text": "count"}]},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "ls", "input": {}}]},
        {"role": "user", "content": [result]},
    ]
    with FakeModelServer(lambda _: "ok") as server:
        post(server, messages=messages)
        seen = server.requests[0]
    assert (seen.text, seen.results) == ("count", ("two files",))

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from typing import Any
from urllib.parse import urlsplit

import pytest
from reflact.testing import FakeModelServer, FakeReply, FakeRequest
from reflact.types import ToolCall, Usage


def connection(server: FakeModelServer) -> HTTPConnection:
    address = urlsplit(server.url)
    return HTTPConnection(str(address.hostname), address.port, timeout=10)


def post(
    server: FakeModelServer, text: str = "hello", *, headers: Mapping[str, str] | None = None, **fields: Any
) -> tuple[int, Mapping[str, str], bytes]:
    body = {"model": "m", "messages": [{"role": "user", "content": text}], **fields}
    with closing(connection(server)) as link:
        link.request("POST", "/v1/chat/completions", json.dumps(body), dict(headers or {}))
        response = link.getresponse()
        return response.status, dict(response.headers), response.read()


def said(raw: bytes) -> str:
    return str(json.loads(raw)["choices"][0]["message"]["content"])


def test_a_text_is_sent_as_a_finished_chat_completion() -> None:
    with FakeModelServer(lambda request: request.text.upper()) as server:
        status, _, raw = post(server, "grüße")
    answer = json.loads(raw)
    assert (status, said(raw), answer["choices"][0]["finish_reason"]) == (200, "GRÜSSE", "stop")
    assert answer["usage"]["prompt_tokens"] == 2


def test_the_script_sees_the_whole_call() -> None:
    with FakeModelServer(lambda _: "ok") as server:
        messages = [
            {"role": "system", "content": "be brief"},
            {"role": "user", "content": [{"type": "text", "text": "hi"}]},
        ]
        post(server, messages=messages, temperature=0, headers={"Authorization": "Bearer sk-1", "X-Trace": "7"})
        seen = server.requests[0]
    assert (seen.model, seen.text, seen.system, seen.body["temperature"], seen.index) == ("m", "hi", "be brief", 0, 0)
    assert seen.headers["x-trace"] == "7"
    assert seen.headers["authorization"] == "Bearer sk-1"
    assert (seen.api, seen.path) == ("chat_completions", "/v1/chat/completions")


def test_calls_are_numbered_so_a_script_can_change_its_mind() -> None:
    with FakeModelServer(lambda request: f"call {request.index}") as server:
        assert [said(post(server)[2]) for _ in range(3)] == ["call 0", "call 1", "call 2"]


def test_a_connection_is_kept_for_the_next_call() -> None:
    with FakeModelServer(lambda request: request.text) as server, closing(connection(server)) as link:
        link.connect()
        port = link.sock.getsockname()[1]
        for path in ("/chat/completions", "/v1/chat/completions"):
            link.request("POST", path, json.dumps({"messages": [{"role": "user", "content": path}]}))
            assert said(link.getresponse().read()) == path
            assert link.sock.getsockname()[1] == port


def test_a_body_in_chunks_is_put_together() -> None:
    body = json.dumps({"messages": [{"role": "user", "content": "in two parts"}]}).encode()
    with FakeModelServer(lambda request: request.text) as server, closing(connection(server)) as link:
        link.request("POST", "/chat/completions", iter([body[:9], body[9:]]), encode_chunked=True)
        assert said(link.getresponse().read()) == "in two parts"


def test_a_stream_holds_the_same_answer_as_events() -> None:
    text = "a long answer " * 10
    with FakeModelServer(lambda _: text) as server:
        _, headers, raw = post(server, stream=True, stream_options={"include_usage": True})
    lines = [line.removeprefix("data: ") for line in raw.decode().split("\n\n") if line]
    chunks = [json.loads(line) for line in lines[:-1]]
    assert headers["content-type"] == "text/event-stream"
    assert lines[-1] == "[DONE]"
    assert "".join(one["choices"][0]["delta"].get("content", "") for one in chunks if one["choices"]) == text
    assert chunks[-1]["usage"]["completion_tokens"] == 35


def test_tool_calls_end_the_answer_with_tool_calls() -> None:
    call = ToolCall(id="c1", name="look", arguments='{"at": 1}')
    with FakeModelServer(lambda _: FakeReply(tool_calls=(call,))) as server:
        choice = json.loads(post(server)[2])["choices"][0]
    assert choice["finish_reason"] == "tool_calls"
    assert choice["message"]["tool_calls"][0]["function"] == {"name": "look", "arguments": '{"at": 1}'}


def test_given_usage_is_sent_and_absent_usage_is_left_out() -> None:
    counts = Usage(calls=1, prompt=100, cached=60, completion=9, reasoning=4)
    replies = [FakeReply(usage=counts), FakeReply(usage="absent")]
    with FakeModelServer(lambda request: replies[request.index]) as server:
        given, absent = (json.loads(post(server)[2]) for _ in replies)
    assert given["usage"]["prompt_tokens_details"] == {"cached_tokens": 60}
    assert given["usage"]["completion_tokens_details"] == {"reasoning_tokens": 4}
    assert "usage" not in absent


def test_an_error_carries_status_code_and_the_time_to_wait() -> None:
    with FakeModelServer(lambda _: FakeReply(status=429, code="slow_down", message="later", retry_after=2)) as server:
        status, headers, raw = post(server)
    assert (status, headers["retry-after"]) == (429, "2")
    assert json.loads(raw)["error"] == {
        "message": "later",
        "type": "rate_limit_error",
        "param": None,
        "code": "slow_down",
    }


def test_a_refused_parameter_is_answered_like_a_strict_server_and_logged() -> None:
    with FakeModelServer(lambda _: "ok", refuse={"max_tokens", "response_format:json_schema"}) as server:
        status, _, raw = post(server, max_tokens=5)
        typed, _, _ = post(server, response_format={"type": "json_schema"})
        other, _, _ = post(server, response_format={"type": "json_object"})
        assert len(server.requests) == 3
    error = json.loads(raw)["error"]
    assert (status, error["code"], error["param"]) == (400, "unsupported_parameter", "max_tokens")
    assert (typed, other) == (400, 200)


def test_a_wrong_key_is_turned_away() -> None:
    with FakeModelServer(lambda _: "ok", key="right") as server:
        wrong, _, _ = post(server, headers={"Authorization": "Bearer wrong"})
        right, _, _ = post(server, headers={"Authorization": "Bearer right"})
    assert (wrong, right) == (401, 200)


def test_a_dropped_answer_breaks_off() -> None:
    with FakeModelServer(lambda _: FakeReply(text="never whole", drop=True)) as server, pytest.raises(HTTPException):
        post(server)


def test_a_hanging_answer_sends_nothing_and_closes() -> None:
    with FakeModelServer(lambda _: FakeReply(hang_s=0.1)) as server, pytest.raises(ConnectionError):
        post(server)


def test_a_bad_json_answer_is_no_json() -> None:
    with FakeModelServer(lambda _: FakeReply(bad_json=True)) as server:
        status, _, raw = post(server)
    assert status == 200
    with pytest.raises(json.JSONDecodeError):
        json.loads(raw)


def test_models_are_listed_and_other_paths_are_not_found() -> None:
    with FakeModelServer(lambda _: "ok") as server, closing(connection(server)) as link:
        link.request("GET", "/v1/models")
        listed = json.loads(link.getresponse().read())
        link.request("POST", "/v1/elsewhere", "{}")
        assert link.getresponse().status == 404
    assert listed["data"][0]["id"] == "fake-model"


def test_what_the_script_raises_comes_back_to_the_test() -> None:
    def script(request: FakeRequest) -> str:
        raise KeyError(request.text)

    with pytest.raises(KeyError, match="hello"), FakeModelServer(script) as server:
        assert post(server)[0] == 400


def test_a_test_that_fails_already_gets_the_scripts_error_as_a_note() -> None:
    def script(request: FakeRequest) -> str:
        raise KeyError(request.text)

    with pytest.raises(AssertionError) as caught, FakeModelServer(script) as server:
        post(server)
        raise AssertionError("the first cause")
    assert "KeyError('hello')" in caught.value.__notes__[0]


def test_256_slow_calls_are_answered_side_by_side() -> None:
    with FakeModelServer(lambda request: FakeReply(text=request.text, latency_s=1)) as server:
        with ThreadPoolExecutor(256) as pool:
            answers = list(pool.map(lambda n: said(post(server, f"n{n}")[2]), range(256)))
        assert server.peak > 64
    assert answers == [f"n{n}" for n in range(256)]


def test_the_server_leaves_no_thread_and_no_open_port() -> None:
    before = threading.active_count()
    with FakeModelServer(lambda _: FakeReply(hang_s=60)) as server, closing(connection(server)) as link:
        link.request("POST", "/chat/completions", '{"messages": []}')
    assert threading.active_count() == before
    with pytest.raises(ConnectionError):
        post(server)


def test_a_taken_port_is_an_error_at_the_start() -> None:
    with FakeModelServer(lambda _: "ok") as server:
        port = urlsplit(server.url).port
        assert port is not None
        with pytest.raises(OSError, match="in use"), FakeModelServer(lambda _: "ok", port=port):
            pass


def test_the_server_runs_as_a_process_of_its_own() -> None:
    command = [sys.executable, "-m", "reflact.testing.server", "--text", "hello from afar"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = urlsplit(process.stdout.readline().strip())
        with closing(HTTPConnection(str(address.hostname), address.port, timeout=10)) as link:
            link.request("POST", "/v1/chat/completions", '{"messages": []}')
            assert said(link.getresponse().read()) == "hello from afar"
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=10) == 0


def test_a_body_of_the_tests_own_making_is_sent_as_it_is() -> None:
    with FakeModelServer(lambda _: FakeReply(body={"odd": [1]})) as server:
        assert json.loads(post(server)[2]) == {"odd": [1]}

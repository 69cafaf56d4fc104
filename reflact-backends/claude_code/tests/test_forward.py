"""The server between Claude Code and the models, through real connections."""

from __future__ import annotations

import gc
import json
import socket
import threading
import time
from http.client import HTTPConnection, HTTPException, HTTPResponse
from urllib.parse import urlsplit

import pytest
from reflact.testing import FakeModelServer, FakeReply
from reflact_backend_claude_code.forward import Forwarder, Loan

KEY = "the-real-key"
BODY = {"model": "m", "max_tokens": 5, "messages": [{"role": "user", "content": "hello"}]}


def call(loan: Loan, *, path: str = "/v1/messages?beta=true", stream: bool = False, **headers: str) -> HTTPResponse:
    connection = HTTPConnection(urlsplit(loan.url).netloc, timeout=10)
    sent = headers or {"x-api-key": loan.token}
    connection.request("POST", path, json.dumps({**BODY, "stream": stream}), {"connection": "close", **sent})
    return connection.getresponse()


@pytest.mark.parametrize("header", ["x-api-key", "authorization"])
def test_a_token_is_replaced_by_the_key(header: str) -> None:
    with FakeModelServer(lambda request: request.text.upper(), key=KEY) as server:
        with Forwarder(server.url).lend(KEY) as loan:
            value = loan.token if header == "x-api-key" else f"Bearer {loan.token}"
            answer = call(loan, **{header: value})
            assert (answer.status, json.loads(answer.read())["content"][0]["text"]) == (200, "HELLO")
        assert KEY not in repr(loan)


def test_a_token_is_good_for_one_job() -> None:
    with FakeModelServer(lambda _: "ok", key=KEY) as server:
        forwarder = Forwarder(server.url)
        with forwarder.lend(KEY) as first:
            pass
        with forwarder.lend(KEY) as second:
            assert (first.url, first.token) != (second.url, second.token)
            assert [call(first).status, call(second).status] == [401, 200]
        assert len(server.requests) == 1


def test_only_model_calls_are_passed_on() -> None:
    with FakeModelServer(lambda _: "ok") as server, Forwarder(server.url).lend(KEY) as loan:
        assert call(loan, path="/v1/files").status == 404
        assert call(loan, **{"x-api-key": "another"}).status == 401
        assert not server.requests


def test_an_answer_is_passed_on_as_it_comes() -> None:
    with FakeModelServer(lambda _: FakeReply(text="word " * 200)) as server, Forwarder(server.url).lend(KEY) as loan:
        answer = call(loan, stream=True)
        assert answer.headers["content-type"] == "text/event-stream"
        assert b"message_stop" in answer.read()


def test_an_error_is_passed_on_with_what_it_says() -> None:
    reply = FakeReply(status=429, message="slow down", retry_after=3)
    with FakeModelServer(lambda _: reply) as server, Forwarder(server.url).lend(KEY) as loan:
        answer = call(loan)
        assert (answer.status, answer.headers["retry-after"]) == (429, "3")
        assert "slow down" in answer.read().decode()


def test_an_answer_that_breaks_off_stays_broken() -> None:
    cut = FakeReply(text="word " * 200, drop=True)
    broken = pytest.raises((HTTPException, ConnectionError))
    with FakeModelServer(lambda _: cut) as server, Forwarder(server.url).lend(KEY) as loan, broken:
        call(loan, stream=True).read()


def test_a_server_that_is_not_there_is_named() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with Forwarder(url).lend(KEY) as loan:
            answer = call(loan)
            assert answer.status == 502
            assert url in answer.read().decode()


def test_many_calls_are_passed_on_at_once() -> None:
    slow = FakeReply(text="ok", latency_s=0.3)
    with FakeModelServer(lambda _: slow) as server, Forwarder(server.url).lend(KEY) as loan:
        callers = [threading.Thread(target=lambda: call(loan).read()) for _ in range(12)]
        for one in callers:
            one.start()
        for one in callers:
            one.join()
        assert (len(server.requests), server.peak) == (12, 12)


def test_a_forgotten_forwarder_leaves_no_thread() -> None:
    before = set(threading.enumerate())
    forwarder = Forwarder("http://127.0.0.1:9")
    with forwarder.lend(KEY):
        own = set(threading.enumerate()) - before
    assert [one.name for one in own] == ["claude-code-forwarder"]
    del forwarder
    gc.collect()
    deadline = time.monotonic() + 5
    while any(one.is_alive() for one in own) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not any(one.is_alive() for one in own)

import gc
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest
from anthropic import Anthropic
from reflact import BackendError, ChatRequest, Message, ToolCall, Usage
from reflact.testing import FakeModelServer, FakeReply
from reflact_backend_anthropic import ClaudeConfig
from reflact_backend_anthropic.model import ClaudeChat

ASK = ChatRequest(messages=(Message(role="user", content="Where?"),))


def model_at(server: FakeModelServer, **settings: object) -> ClaudeChat:
    return ClaudeChat(ClaudeConfig.model_validate({"base_url": server.url, **settings}))


def connections_to(server: FakeModelServer) -> list[socket.socket]:
    """Return this process's open ends of connections to *server*."""
    port = urlsplit(server.url).port
    found = [one for one in gc.get_objects() if isinstance(one, socket.socket) and one.fileno() >= 0]
    return [one for one in found if _peer_port(one) == port]


def _peer_port(one: socket.socket) -> int | None:
    try:
        return int(one.getpeername()[1])
    except (OSError, IndexError):
        return None


def test_a_closed_model_leaves_no_thread_and_no_connection() -> None:
    with FakeModelServer(lambda _: FakeReply(text="ok", latency_s=0.05)) as server:
        model = model_at(server)
        before = set(threading.enumerate())
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda _: model.chat(ASK), range(8)))
        assert set(threading.enumerate()) == before
        assert len(connections_to(server)) == 4
        model.close()
        assert not connections_to(server)


def test_a_forgotten_model_leaves_no_connection() -> None:
    with FakeModelServer(lambda _: "ok") as server:
        model = model_at(server)
        model.chat(ASK)
        assert len(connections_to(server)) == 1
        del model
        gc.collect()
        assert not connections_to(server)


def test_a_connection_the_server_has_closed_is_not_used_again() -> None:
    replies = [FakeReply(text="first", headers={"connection": "close"}), FakeReply(text="second")]
    with FakeModelServer(lambda request: replies[request.index]) as server:
        model = model_at(server)
        assert [model.chat(ASK).text for _ in replies] == ["first", "second"]


def test_more_threads_than_connections_only_wait() -> None:
    with FakeModelServer(lambda _: FakeReply(text="ok", latency_s=0.3)) as server:
        model = model_at(server, connections=2, timeout_s=0.8)
        workers = [threading.Thread(target=model.chat, args=(ASK,)) for _ in range(8)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        assert (len(server.requests), server.peak) == (8, 2)


@pytest.mark.parametrize(
    ("kind", "fault"),
    [("overloaded_error", "unavailable"), ("authentication_error", "auth"), ("rate_limit_error", "rate_limit")],
)
def test_an_error_inside_a_200_is_an_error(kind: str, fault: str) -> None:
    answer = FakeReply(body={"type": "error", "error": {"type": kind, "message": "the provider said no"}})
    with FakeModelServer(lambda _: answer) as server, pytest.raises(BackendError, match="provider said no") as caught:
        model_at(server).chat(ASK)
    assert caught.value.fault == fault


@pytest.mark.parametrize("body", [{}, {"content": None}, {"content": "hello"}, {"choices": []}, {"content": [None]}])
def test_an_answer_of_another_shape_is_a_protocol_error(body: dict[str, object]) -> None:
    with FakeModelServer(lambda _: FakeReply(body=body)) as server, pytest.raises(BackendError) as caught:
        model_at(server).chat(ASK)
    assert caught.value.fault == "protocol"


def test_what_the_server_read_from_its_cache_is_counted_as_cached() -> None:
    counts = {"input_tokens": 5, "cache_read_input_tokens": 2000, "cache_creation_input_tokens": 30, "output_tokens": 2}
    body = {"content": [{"type": "text", "text": "ok"}], "stop_reason": "end_turn", "usage": counts}
    with FakeModelServer(lambda _: FakeReply(body=body)) as server:
        assert model_at(server).chat(ASK).usage == Usage(calls=1, prompt=2035, cached=2000, completion=2)


def test_the_fake_servers_stream_is_what_the_sdk_expects() -> None:
    call = ToolCall(id="c1", name="look", arguments='{"at": 1}')
    reply = FakeReply(text="a long answer " * 10, reasoning="hm", tool_calls=(call,))
    with (
        FakeModelServer(lambda _: reply) as server,
        Anthropic(base_url=server.url, api_key="none", open_telemetry=False) as client,
        client.messages.stream(model="m", max_tokens=9, messages=[{"role": "user", "content": "?"}]) as stream,
    ):
        said = stream.get_final_message()
    assert [block.type for block in said.content] == ["thinking", "text", "tool_use"]
    assert [getattr(said.content[1], "text", ""), getattr(said.content[2], "input", {})] == [reply.text, {"at": 1}]
    assert said.stop_reason == "tool_use"

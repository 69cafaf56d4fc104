import gc
import signal
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest
from reflact import BackendError, ChatRequest, Message
from reflact.testing import FakeModelServer, FakeReply
from reflact_backend_openai import OpenAIChat, OpenAIConfig

ASK = ChatRequest(messages=(Message(role="user", content="Where?"),))


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
        model = OpenAIChat(OpenAIConfig(base_url=f"{server.url}/v1"))
        before = set(threading.enumerate())
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda _: model.chat(ASK), range(8)))
        assert set(threading.enumerate()) == before
        assert len(connections_to(server)) == 4
        model.close()
        assert not connections_to(server)


def test_a_forgotten_model_leaves_no_connection() -> None:
    with FakeModelServer(lambda _: "ok") as server:
        model = OpenAIChat(OpenAIConfig(base_url=f"{server.url}/v1"))
        model.chat(ASK)
        assert len(connections_to(server)) == 1
        del model
        gc.collect()
        assert not connections_to(server)


def test_a_connection_the_server_has_closed_is_not_used_again() -> None:
    replies = [FakeReply(text="first", headers={"connection": "close"}), FakeReply(text="second")]
    with FakeModelServer(lambda request: replies[request.index]) as server:
        model = OpenAIChat(OpenAIConfig(base_url=f"{server.url}/v1"))
        assert [model.chat(ASK).text for _ in replies] == ["first", "second"]


def test_more_threads_than_connections_only_wait() -> None:
    with FakeModelServer(lambda _: FakeReply(text="ok", latency_s=0.3)) as server:
        model = OpenAIChat(OpenAIConfig(base_url=f"{server.url}/v1", connections=2, timeout_s=0.5))
        workers = [threading.Thread(target=model.chat, args=(ASK,)) for _ in range(8)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        assert (len(server.requests), server.peak) == (8, 2)


@pytest.mark.parametrize(("code", "fault"), [(429, "rate_limit"), (401, "auth"), ("overloaded", "unavailable")])
def test_an_error_inside_a_200_is_an_error(code: object, fault: str) -> None:
    answer = FakeReply(body={"error": {"message": "the provider said no", "code": code}})
    with FakeModelServer(lambda _: answer) as server, pytest.raises(BackendError, match="provider said no") as caught:
        OpenAIChat(OpenAIConfig(base_url=f"{server.url}/v1")).chat(ASK)
    assert caught.value.fault == fault


@pytest.mark.parametrize(
    "body", [{}, {"choices": []}, {"choices": None}, {"choices": [{"message": None}]}, {"choices": ["hello"]}]
)
def test_an_answer_of_another_shape_is_a_protocol_error(body: dict[str, object]) -> None:
    with FakeModelServer(lambda _: FakeReply(body=body)) as server, pytest.raises(BackendError) as caught:
        OpenAIChat(OpenAIConfig(base_url=f"{server.url}/v1")).chat(ASK)
    assert caught.value.fault == "protocol"


def test_an_interrupted_call_frees_its_connection() -> None:
    class Interrupt(Exception):
        pass

    def interrupt(*_: object) -> None:
        raise Interrupt

    replies = [FakeReply(hang_s=60), FakeReply(text="next")]
    previous = signal.signal(signal.SIGALRM, interrupt)
    try:
        with FakeModelServer(lambda request: replies[request.index]) as server:
            model = OpenAIChat(OpenAIConfig(base_url=f"{server.url}/v1", connections=1, timeout_s=30))
            signal.setitimer(signal.ITIMER_REAL, 0.5)
            with pytest.raises(Interrupt):
                model.chat(ASK)
            assert model.chat(ASK).text == "next"
    finally:
        signal.signal(signal.SIGALRM, previous)

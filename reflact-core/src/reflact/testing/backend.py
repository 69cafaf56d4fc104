"""What every chat backend behind a server must do, as a pytest class to subclass: the server is ours, and scripted."""

from __future__ import annotations

import json
import socket
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from reflact.testing.backend_link import BackendLink
from reflact.testing.registered import KEY, PIXEL, SCHEMA, ask
from reflact.testing.server import FakeModelServer, FakeReply
from reflact.types import ChatRequest, Message, Text, Tool, ToolCall, Usage


class BackendContract(BackendLink):
    """Subclass it: `class TestMine(BackendContract): name = "mine"`; override `settings` if keys have other names."""

    def test_a_text_is_answered(self) -> None:
        with FakeModelServer(lambda request: f"{request.system} {request.text}") as server:
            reply = self.connect(server.url).chat(ask("Where is Kilimanjaro? 🏔"))
        assert (reply.text, reply.finish, reply.outcome) == ("Be brief. Where is Kilimanjaro? 🏔", "stop", "ok")

    def test_a_reply_to_a_schema_is_its_json(self) -> None:
        with FakeModelServer(lambda _: '{"city": "Lima"}') as server:
            reply = self.connect(server.url).chat(ask("Name one, as JSON.", schema=SCHEMA))
        assert json.loads(reply.text) == {"city": "Lima"}

    def test_a_tool_call_and_its_result_go_both_ways(self) -> None:
        tool = Tool(name="look", description="Looks.", parameters=SCHEMA)
        call = ToolCall(id="call_1", name="look", arguments='{"city": "Lima"}')
        replies = [FakeReply(tool_calls=(call,)), FakeReply(text="sunny")]
        with FakeModelServer(lambda request: replies[request.index]) as server:
            model = self.connect(server.url)
            first = ask("How is the weather?", tools=(tool,))
            asked = model.chat(first)
            result = Message(role="tool", content="22 °C", tool_call_id=asked.tool_calls[0].id)
            said = Message(role="assistant", content=asked.text, tool_calls=asked.tool_calls)
            answered = model.chat(replace(first, messages=(*first.messages, said, result)))
            sent = json.dumps(server.requests[1].body, ensure_ascii=False)
        assert (asked.tool_calls, asked.finish, asked.outcome) == ((call,), "tool_calls", "ok")
        assert "22 °C" in sent and call.id in sent
        assert answered.text == "sunny"

    def test_a_search_that_the_server_makes_itself_is_asked_for_and_told(self) -> None:
        if self.spec().hosted is None:
            pytest.skip("this backend's server runs no tools")
        searched = FakeReply(text="Sunny.", searches=("weather Lima",), sources=("https://example.org/lima",))
        with FakeModelServer(lambda _: searched) as server:
            reply = self.connect(server.url).chat(ask("How is the weather?", hosted_tools=("web_search",)))
        assert (reply.text, reply.finish, reply.tool_calls) == ("Sunny.", "stop", ())
        assert (reply.searches, reply.sources) == (("weather Lima",), ("https://example.org/lima",))

    def test_an_image_and_its_label_are_sent(self) -> None:
        content = (Text("What is it?"), PIXEL)
        with FakeModelServer(lambda _: "a dot") as server:
            reply = self.connect(server.url).chat(ChatRequest(messages=(Message(role="user", content=content),)))
            sent = json.dumps(server.requests[0].body)
        assert reply.text == "a dot"
        assert b64encode(PIXEL.data).decode() in sent and PIXEL.label in sent

    def test_a_reply_that_was_cut_is_truncated(self) -> None:
        with FakeModelServer(lambda _: FakeReply(text="half a", finish="length")) as server:
            reply = self.connect(server.url).chat(ask("?"))
        assert (reply.text, reply.finish, reply.outcome) == ("half a", "length", "truncated")

    def test_a_refusal_is_a_reply(self) -> None:
        with FakeModelServer(lambda _: FakeReply(finish="refused")) as server:
            assert self.connect(server.url).chat(ask("?")).outcome == "refused"

    def test_an_empty_reply_stays_empty(self) -> None:
        with FakeModelServer(lambda _: "") as server:
            reply = self.connect(server.url).chat(ask("?"))
        assert (reply.text, reply.finish, reply.outcome) == ("", "stop", "empty")

    def test_usage_is_what_the_server_counted(self) -> None:
        counted = Usage(calls=1, prompt=120, cached=100, completion=30, reasoning=20)
        with FakeModelServer(lambda _: FakeReply(text="ok", usage=counted)) as server:
            assert self.connect(server.url).chat(ask("?")).usage == counted

    def test_a_request_cannot_ask_for_more_tokens_than_the_configuration_allows(self) -> None:
        with FakeModelServer(lambda _: "ok") as server:
            model = self.connect(server.url, max_tokens=1000)
            for tokens in (None, 77, 5555):
                model.chat(ask("?", max_tokens=tokens))
            sent = [{value for value in one.body.values() if isinstance(value, int)} for one in server.requests]
        assert [1000 in sent[0], 77 in sent[1], 1000 in sent[2], 5555 in sent[2]] == [True, True, True, False]

    def test_a_wrong_key_is_a_fatal_error_that_does_not_show_it(self) -> None:
        with FakeModelServer(lambda _: "ok", key="another-key") as server:
            error = self.error_of(self.connect(server.url))
        assert (error.fault, error.fatal) == ("auth", True)
        assert KEY not in str(error)

    def test_a_server_that_stays_silent_is_a_timeout(self) -> None:
        with FakeModelServer(lambda _: FakeReply(hang_s=30)) as server:
            error = self.error_of(self.connect(server.url, timeout_s=0.3))
        assert (error.fault, error.fatal) == ("timeout", False)

    def test_a_server_that_is_not_there_is_named(self) -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            address = f"127.0.0.1:{taken.getsockname()[1]}"
            error = self.error_of(self.connect(f"http://{address}"))
        assert error.fault == "unavailable"
        assert address in str(error) and "is the server running" in str(error).lower()

    def test_a_reply_that_is_no_json_is_a_protocol_error(self) -> None:
        with FakeModelServer(lambda _: FakeReply(bad_json=True)) as server:
            assert self.error_of(self.connect(server.url)).fault == "protocol"

    def test_what_an_overloaded_server_asks_to_wait_is_reported(self) -> None:
        for headers, seconds in (({"retry-after": "7"}, 7), ({"retry-after": "0.5"}, 0.5), ({}, None)):
            busy = FakeReply(status=429, headers=headers)
            with FakeModelServer(lambda _, busy=busy: busy) as server:  # type: ignore[misc]
                error = self.error_of(self.connect(server.url))
            assert (error.fault, error.passing, error.retry_after_s) == ("rate_limit", True, seconds)

    def test_a_server_in_trouble_is_asked_once_and_reported_as_unavailable(self) -> None:
        for status in (500, 502, 503, 529):
            trouble = FakeReply(status=status)
            with FakeModelServer(lambda _, trouble=trouble: trouble) as server:  # type: ignore[misc]
                error = self.error_of(self.connect(server.url))
                assert len(server.requests) == 1
            assert (error.fault, error.passing) == ("unavailable", True)

    def test_a_server_that_repeats_the_key_does_not_get_it_shown(self) -> None:
        for status in (400, 401, 403, 404, 429, 500):
            with FakeModelServer(lambda _, status=status: FakeReply(status=status, message=f"no: {KEY}")) as server:  # type: ignore[misc]
                assert KEY not in str(self.error_of(self.connect(server.url)))

    def test_many_threads_share_one_model(self) -> None:
        with FakeModelServer(lambda request: FakeReply(text=request.text, latency_s=0.1)) as server:
            model = self.connect(server.url)
            with ThreadPoolExecutor(32) as pool:
                texts = list(pool.map(lambda n: model.chat(ask(f"number {n}")).text, range(96)))
            assert server.peak > 8
        assert texts == [f"number {n}" for n in range(96)]

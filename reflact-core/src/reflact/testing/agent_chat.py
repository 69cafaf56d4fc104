"""What a command-line agent must do where it only answers, as teacher or judge."""

from __future__ import annotations

import json

import pytest

from reflact.contracts import ExaminesItself
from reflact.errors import BackendError
from reflact.testing.agent_link import AgentLink, sent
from reflact.testing.pictures import pictures_of
from reflact.testing.registered import KEY, PIXEL, SCHEMA, ask
from reflact.testing.server import FakeModelServer, FakeReply
from reflact.types import ChatRequest, Message, Text, Tool, Usage

CITY = '{"city": "Lima"}'


class AgentAnswers(AgentLink):
    """The part of the contract that is about chat."""

    def test_as_a_chat_model_it_is_examined_without_a_call(self) -> None:
        with FakeModelServer(lambda _: "ok") as server:
            model = self.answering(server.url)
            assert isinstance(model, ExaminesItself)
            assert {one.level for one in model.examine()} <= {"good", "info", "warning"}
            assert not server.requests

    def test_as_a_chat_model_it_answers_a_text(self) -> None:
        used = Usage(calls=1, prompt=120, cached=100, completion=30, reasoning=20)
        with FakeModelServer(lambda _: FakeReply(text="Lima 🏔", usage=used), key=KEY) as server:
            reply = self.answering(server.url).chat(ask("Which city?\nOne word. 🏔"))
            (call,) = server.requests
        assert (reply.text, reply.finish, reply.outcome, reply.usage) == ("Lima 🏔", "stop", "ok", used)
        assert "Be brief." in sent(call)
        assert "Which city?\nOne word. 🏔" in sent(call)

    def test_as_a_chat_model_it_replies_to_a_schema_with_json(self) -> None:
        with FakeModelServer(lambda request: self.held_to_schema(request, CITY)) as server:
            reply = self.answering(server.url).chat(ask("Name a city, as JSON.", schema=SCHEMA))
            assert '"city"' in json.dumps(server.requests[0].body)
        assert json.loads(reply.text) == {"city": "Lima"}

    def test_as_a_chat_model_it_sees_an_image(self) -> None:
        content = (Text("What is it?"), PIXEL)
        with FakeModelServer(lambda _: "a dot") as server:
            reply = self.answering(server.url).chat(ChatRequest(messages=(Message(role="user", content=content),)))
            seen = [one.data for one in pictures_of(server.requests[0])]
        assert (reply.text, seen) == ("a dot", [PIXEL.data])

    @pytest.mark.parametrize(
        ("reply", "outcome"),
        [
            (FakeReply(text="half", finish="length"), "truncated"),
            (FakeReply(finish="refused"), "refused"),
            (FakeReply(text=""), "empty"),
        ],
        ids=["truncated", "refused", "empty"],
    )
    def test_as_a_chat_model_it_tells_how_a_reply_ended(self, reply: FakeReply, outcome: str) -> None:
        with FakeModelServer(lambda _: reply) as server:
            assert self.answering(server.url).chat(ask("?")).outcome == outcome

    def test_as_a_chat_model_it_refuses_tools_in_words_and_asks_nobody(self) -> None:
        tool = Tool(name="look", description="Looks.", parameters=SCHEMA)
        with FakeModelServer(lambda _: "ok") as server, pytest.raises(BackendError, match="tools") as caught:
            self.answering(server.url).chat(ask("?", tools=(tool,)))
        assert caught.value.fault == "bad_request"
        assert not server.requests

    def test_as_a_chat_model_it_does_not_show_a_wrong_key(self) -> None:
        with FakeModelServer(lambda _: "ok", key="another-key") as server, pytest.raises(BackendError) as caught:
            self.answering(server.url).chat(ask("?"))
        assert (caught.value.fault, caught.value.fatal) == ("auth", True)
        assert KEY not in str(caught.value)

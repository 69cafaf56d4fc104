"""What any chat backend must do, asked of the model itself: for one that is not behind a server, as an embedded one."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

from reflact.contracts import ChatModel
from reflact.errors import BackendError
from reflact.testing.registered import PIXEL, SCHEMA, Registered, ask
from reflact.types import ChatReply, ChatRequest, Message, Text, Tool

LONG = "Write the alphabet, one letter to a line."
CAP = 3


class ChatContract(Registered):
    """Subclass it: `class TestMine(ChatContract): name = "mine"`; override `settings` for what the model needs.

    The model may be any that obeys a plain instruction. What only a scripted server can show, faults above all, is
    asked by `BackendContract`.
    """

    def settings(self) -> dict[str, Any]:
        """Return the configuration of the model."""
        return {}

    def model(self, **more: Any) -> ChatModel:
        """Return the model, with *more* in its configuration."""
        spec = self.spec()
        return cast(ChatModel, spec.build(spec.config(**{**self.settings(), **more})))

    def test_a_text_is_answered(self) -> None:
        reply = self.model().chat(ask("Which city is the capital of France? Answer with its name alone."))
        assert (reply.finish, reply.outcome) == ("stop", "ok")
        assert reply.text.strip()

    def test_a_reply_to_a_schema_is_its_json(self) -> None:
        said = json.loads(self.model().chat(ask("Name a city, as JSON.", schema=SCHEMA)).text)
        assert list(said) == ["city"]
        assert isinstance(said["city"], str)

    def test_a_reply_that_was_cut_is_truncated(self) -> None:
        reply = self.model().chat(ask(LONG, max_tokens=CAP))
        assert (reply.finish, reply.outcome) == ("length", "truncated")

    def test_usage_is_counted(self) -> None:
        model = self.model()
        short, long = (model.chat(ask(text, max_tokens=CAP)).usage for text in ("Say A.", "Say A. " * 40))
        assert (short.calls, long.calls) == (1, 1)
        assert long.prompt >= short.prompt + 39
        assert 0 <= long.cached <= long.prompt
        assert 0 < short.completion <= CAP

    def test_a_request_cannot_ask_for_more_tokens_than_the_configuration_allows(self) -> None:
        reply = self.model(max_tokens=CAP).chat(ask(LONG, max_tokens=50))
        assert (reply.finish, reply.usage.completion) == ("length", CAP)

    def test_many_threads_share_one_model(self) -> None:
        model = self.model()
        with ThreadPoolExecutor(8) as pool:
            used = [one.usage for one in pool.map(lambda n: model.chat(ask(f"Say {n}.", max_tokens=CAP)), range(16))]
        assert [one.calls for one in used] == [1] * 16
        assert all(0 < one.completion <= CAP for one in used)

    def test_tools_are_used_or_refused_in_words_and_never_passed_over(self) -> None:
        tool = Tool(name="look", description="Tells the weather of a city.", parameters=SCHEMA)
        reply = self._reply_to(ask("Look how the weather is in Lima.", tools=(tool,)))
        assert reply is None or reply.tool_calls

    def test_a_search_of_the_providers_own_is_made_or_refused_in_words_and_never_passed_over(self) -> None:
        reply = self._reply_to(ask("Search the web for the weather in Lima.", hosted_tools=("web_search",)))
        assert reply is None or reply.searches

    def test_an_image_is_seen_or_refused_in_words_and_never_passed_over(self) -> None:
        seen = ChatRequest(messages=(Message(role="user", content=(Text("Describe it."), PIXEL)),), max_tokens=CAP)
        blind = ChatRequest(messages=(Message(role="user", content="Describe it."),), max_tokens=CAP)
        model = self.model()
        reply = self._reply_to(seen)
        assert reply is None or reply.usage.prompt > model.chat(blind).usage.prompt

    def _reply_to(self, request: ChatRequest) -> ChatReply | None:
        """Return the reply to *request*, `None` where the model says that it cannot do such a thing."""
        try:
            return self.model().chat(request)
        except BackendError as error:
            assert error.fault == "bad_request"
            assert len(str(error)) > 20
            return None

"""What a teacher behind Codex is asked, and what it cannot be asked."""

from __future__ import annotations

from typing import Any

import pytest
from reflact import BackendError, ChatRequest, Image, Message, Text, Tool
from reflact_backend_codex import CodexChat, CodexConfig
from reflact_backend_codex.client import Client
from reflact_backend_codex.model import prompt_of, system_of

TOOL = Tool(name="look", description="", parameters={})


@pytest.mark.parametrize("offered", [{"tools": (TOOL,)}, {"hosted_tools": ("web_search",)}])
def test_tools_are_refused_by_name(offered: dict[str, Any]) -> None:
    request = ChatRequest(messages=(Message(role="user", content="?"),), **offered)
    with pytest.raises(BackendError, match="cannot be given tools") as caught:
        CodexChat(CodexConfig(), Client({})).chat(request)
    assert caught.value.fault == "bad_request"


def test_one_message_is_sent_as_it_is_and_several_say_who_speaks() -> None:
    system, first = Message(role="system", content="Be brief."), Message(role="user", content="?")
    assert (system_of(ChatRequest(messages=(system, first))), prompt_of(ChatRequest(messages=(system, first)))) == (
        "Be brief.",
        "?",
    )
    later = (first, Message(role="assistant", content="!"), Message(role="user", content="Sure?"))
    assert prompt_of(ChatRequest(messages=later)) == "[user]\n?\n\n[assistant]\n!\n\n[user]\nSure?"


def test_an_image_leaves_its_label_where_it_stood() -> None:
    image = Image(data=b"", media_type="image/png", label="Image #2")
    message = Message(role="user", content=(Text("Before"), image, Text("after")))
    assert prompt_of(ChatRequest(messages=(message,))) == "Before\n[Image #2]\nafter"

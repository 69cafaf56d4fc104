"""The real Codex as a teacher: it answers, and has no tools to do anything else."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from reflact import BackendError, ChatRequest, Image, Message, Text, Usage
from reflact.testing import FakeModelServer, FakeReply
from reflact_backend_codex import CodexChat, CodexConfig
from reflact_backend_codex.client import Client

pytestmark = pytest.mark.slow
Connect = Callable[..., CodexChat]
KEY = "marker-key-0123456789"
SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
PIXEL = Image(
    data=bytes.fromhex(
        "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63606060000000040001f61738550000"
        "000049454e44ae426082"
    ),
    media_type="image/png",
    label="Image #1",
)


@pytest.fixture
def connect(real_codex: str) -> Connect:
    """Return what connects the real Codex to a server."""

    def model(server: FakeModelServer, **settings: Any) -> CodexChat:
        given = {"path": real_codex, "model": "m", "base_url": f"{server.url}/v1", "api_key": KEY, **settings}
        return CodexChat(CodexConfig(**{"request_retries": 0, **given}), Client({"PATH": "/usr/bin:/bin"}))

    return model


def ask(text: str, **more: Any) -> ChatRequest:
    messages = (Message(role="system", content="Be brief. 🏔"), Message(role="user", content=text))
    return ChatRequest(messages=messages, **more)


def test_a_question_is_answered_under_its_own_system_text_and_without_tools(connect: Connect) -> None:
    used = Usage(calls=1, prompt=120, cached=100, completion=30, reasoning=20)
    with FakeModelServer(lambda _: FakeReply(text="Lima 🏔", usage=used), key=KEY) as server:
        reply = connect(server).chat(ask("Which city?", effort="high"))
        (call,) = server.requests
    assert (reply.text, reply.finish, reply.usage, reply.model) == ("Lima 🏔", "stop", used, "m")
    assert [(one["role"], one["content"][0]["text"]) for one in call.messages] == [
        ("developer", "Be brief. 🏔"),
        ("user", "Which city?"),
    ]
    assert not {tool.get("name") for tool in call.body["tools"]} & {"exec_command", "shell", "apply_patch", "exec"}
    assert call.body["reasoning"]["effort"] == "high"


def test_a_reply_to_a_schema_is_asked_for_as_one(connect: Connect) -> None:
    with FakeModelServer(lambda _: '{"city": "Lima"}') as server:
        reply = connect(server).chat(ask("Name one.", schema=SCHEMA))
        asked = server.requests[0].body["text"]["format"]
    assert json.loads(reply.text) == {"city": "Lima"}
    assert (asked["type"], asked["schema"]) == ("json_schema", SCHEMA)


def test_an_image_is_sent_with_its_label(connect: Connect) -> None:
    with FakeModelServer(lambda _: "a dot") as server:
        content = (Text("What is it?"), PIXEL)
        connect(server).chat(ChatRequest(messages=(Message(role="user", content=content),)))
        sent = json.dumps(server.requests[0].messages)
    assert "[Image #1]" in sent and b64encode(PIXEL.data).decode() in sent


def test_an_image_that_codex_cannot_read_is_not_left_out_in_silence(connect: Connect) -> None:
    content = (Text("What is it?"), replace(PIXEL, data=b"\x89PNG\r\n\x1a\n"))
    request = ChatRequest(messages=(Message(role="user", content=content),))
    with FakeModelServer(lambda _: "nothing") as server, pytest.raises(BackendError, match="an image was left out"):
        connect(server).chat(request)


def test_a_server_that_stays_silent_is_a_timeout(connect: Connect) -> None:
    with FakeModelServer(lambda _: FakeReply(hang_s=30)) as server, pytest.raises(BackendError) as caught:
        connect(server, timeout_s=2.0).chat(ask("?"))
    assert caught.value.fault == "timeout"

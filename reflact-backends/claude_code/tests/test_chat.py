"""Claude Code as a model that only answers, spoken by a fake."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from reflact import BackendError, ChatRequest, Message
from reflact.types import Tool
from reflact_backend_claude_code import ClaudeCodeConfig
from reflact_backend_claude_code.chat import ClaudeCodeChat

Fake = Callable[[str], Path]
ASK = ChatRequest(messages=(Message(role="system", content="Be brief."), Message(role="user", content="Where?")))


def chat(fake: Fake, body: str, **settings: object) -> ClaudeCodeChat:
    given = {"path": str(fake(body)), "base_url": "http://127.0.0.1:9", "model": "m", **settings}
    return ClaudeCodeChat(ClaudeCodeConfig.model_validate(given))


def test_system_text_and_question_arrive(fake: Fake) -> None:
    body = """
    system = open(sys.argv[sys.argv.index("--system-prompt-file") + 1]).read()
    asked = json.loads(sys.stdin.readline())["message"]["content"][0]["text"]
    reply("x"); end(f"{system}|{asked}|{os.environ['CLAUDE_CODE_MAX_OUTPUT_TOKENS']}")
    """
    reply = chat(fake, body, max_tokens=77).chat(ASK)
    assert (reply.text, reply.finish, reply.usage.prompt) == ("Be brief.|Where?|77", "stop", 5)


def test_a_reply_to_a_schema_is_its_json(fake: Fake) -> None:
    reply = chat(fake, 'end("words", structured_output={"city": "Köln"})').chat(ASK)
    assert json.loads(reply.text) == {"city": "Köln"}


def test_a_refusal_and_a_cut_reply_are_told_apart(fake: Fake) -> None:
    refused = chat(fake, 'end("no", code=1, is_error=True, stop_reason="refusal")').chat(ASK)
    cut = chat(fake, 'reply("half"); end("half", stop_reason="max_tokens")').chat(ASK)
    assert (refused.outcome, cut.outcome, cut.text) == ("refused", "truncated", "half")


TOOL = Tool(name="look", description="Looks.", parameters={})


@pytest.mark.parametrize("offered", [{"tools": (TOOL,)}, {"hosted_tools": ("web_search",)}])
def test_tools_cannot_be_offered(fake: Fake, offered: dict[str, Any]) -> None:
    with pytest.raises(BackendError, match="claude_chat") as caught:
        chat(fake, 'end("ok")').chat(ChatRequest(messages=ASK.messages, **offered))
    assert caught.value.fault == "bad_request"


def test_a_call_without_a_reply_is_an_error_of_its_kind(fake: Fake) -> None:
    with pytest.raises(BackendError, match="overloaded") as caught:
        chat(fake, 'end("529 overloaded", code=1, is_error=True, api_error_status=529)').chat(ASK)
    assert caught.value.fault == "unavailable"


def test_a_version_that_cannot_hold_a_reply_to_a_schema_answers_all_the_same(fake: Fake) -> None:
    body = """
    if "--json-schema" in sys.argv:
        sys.exit("error: unknown option '--json-schema'")
    end('{"city": "Lima"}')
    """
    request = ChatRequest(messages=ASK.messages, schema={"type": "object"})
    assert chat(fake, body).chat(request).text == '{"city": "Lima"}'


def test_it_examines_itself(fake: Fake) -> None:
    assert [one.level for one in chat(fake, 'sys.exit("Error: Input must be provided")').examine()] == ["good", "good"]


def test_a_reply_that_does_not_keep_to_its_schema_is_not_the_servers_absence(fake: Fake) -> None:
    told = "Failed to provide valid structured output after 5 attempts"
    with pytest.raises(BackendError, match=told) as caught:
        chat(fake, f'end("", code=1, is_error=True, errors=[{told!r}])').chat(ASK)
    assert caught.value.fault == "protocol"

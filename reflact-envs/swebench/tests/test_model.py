"""The student as mini-swe-agent's model: messages there and back, and replies that cannot be acted upon."""

from __future__ import annotations

from typing import Any

import pytest
from reflact.kit.scripted import EchoStudent
from reflact.types import ChatReply, ChatRequest, ToolCall
from reflact_env_swebench.agent.actions import NotUnderstood, actions_of
from reflact_env_swebench.agent.clock import Clock
from reflact_env_swebench.agent.model import SHOWN, RouterModel


class Malformed(Exception):
    """Keeps the messages it is raised with, as mini-swe-agent's own does."""

    def __init__(self, *messages: dict[str, Any]) -> None:
        super().__init__()
        self.messages = messages


class Fixed(EchoStudent):
    """A student that gives one reply, and keeps what it was asked."""

    def __init__(self, reply: ChatReply) -> None:
        super().__init__("")
        object.__setattr__(self, "fixed", reply)
        object.__setattr__(self, "asked", [])

    def chat(self, request: ChatRequest) -> ChatReply:
        self.asked.append(request)  # type: ignore[attr-defined]
        return self.fixed  # type: ignore[attr-defined,no-any-return]


def call(arguments: str, name: str = "bash", call_id: str = "c1") -> ToolCall:
    return ToolCall(id=call_id, name=name, arguments=arguments)


def model(reply: ChatReply) -> RouterModel:
    return RouterModel(student=Fixed(reply), malformed=Malformed, max_tokens=99)


def test_calls_become_actions_and_the_cost_is_the_providers() -> None:
    reply = ChatReply(text="look", tool_calls=(call('{"command": "ls"}'),), usd=0.25)
    said = model(reply).query([{"role": "user", "content": "go"}])
    assert said["extra"]["actions"] == [{"command": "ls", "tool_call_id": "c1"}]
    assert (said["content"], said["extra"]["cost"], said["tool_calls"][0]["function"]["name"]) == ("look", 0.25, "bash")


def test_a_whole_conversation_reaches_the_student_with_the_tool_and_the_limit() -> None:
    one = model(ChatReply(text="", tool_calls=(call('{"command": "ls"}'),)))
    first = one.query([{"role": "user", "content": "go"}])
    seen = one.format_observation_messages(first, [{"output": "a.py", "returncode": 0, "exception_info": ""}])
    one.query([{"role": "user", "content": "go"}, first, *seen])
    request = one.student.asked[-1]  # type: ignore[attr-defined]
    assert [message.role for message in request.messages] == ["user", "assistant", "tool"]
    assert (request.messages[2].tool_call_id, request.messages[2].text) == ("c1", "exit code 0\na.py")
    assert request.messages[1].tool_calls[0].arguments == '{"command": "ls"}'
    assert (request.tools[0].name, request.max_tokens) == ("bash", 99)


def test_one_block_of_shell_code_is_taken_for_a_call() -> None:
    (action,) = actions_of(ChatReply(text="Look first.\n```bash\nls\n```\n"))
    assert (action.command, action.call_id) == ("ls\n", "")
    said = model(ChatReply(text="```sh\nls\n```")).query([{"role": "user", "content": "go"}])
    (seen,) = model(ChatReply(text="")).format_observation_messages(
        said, [{"output": "x", "returncode": 1, "exception_info": "killed"}]
    )
    assert (seen["role"], seen["content"]) == ("user", "[killed]\nexit code 1\nx")


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (ChatReply(text="done"), "holds no command"),
        (ChatReply(text=""), "holds no command"),
        (ChatReply(text="```bash\nls", finish="length"), "was cut off"),
        (ChatReply(text="```bash\na\n```\n```bash\nb\n```"), "2 blocks"),
        (ChatReply(text="", tool_calls=(call("{}", name="python"),)), "no tool 'python'"),
        (ChatReply(text="", tool_calls=(call("{oops"),)), "not JSON"),
        (ChatReply(text="", tool_calls=(call('{"command": 3}'),)), "text of a command"),
        (ChatReply(text="", tool_calls=(call('["ls"]'),)), "text of a command"),
    ],
)
def test_a_reply_without_a_command_is_told_why(reply: ChatReply, told: str) -> None:
    with pytest.raises(NotUnderstood, match=told):
        actions_of(reply)


def test_a_faulty_reply_stays_in_the_conversation_and_each_of_its_calls_is_answered() -> None:
    calls = (call('{"command": "ls"}'), call("{oops", call_id="c2"))
    with pytest.raises(Malformed) as raised:
        model(ChatReply(text="both", tool_calls=calls, usd=0.5)).query([{"role": "user", "content": "go"}])
    said, *answers = raised.value.messages
    assert (said["role"], said["extra"]["cost"]) == ("assistant", 0.5)
    assert [(one["role"], one["tool_call_id"]) for one in answers] == [("tool", "c1"), ("tool", "c2")]


def test_a_long_output_loses_its_middle_and_says_so() -> None:
    said = {"extra": {"actions": [{"command": "x", "tool_call_id": "c1"}]}}
    output = {"output": "a" * SHOWN + "b" * SHOWN, "returncode": 0, "exception_info": ""}
    (seen,) = model(ChatReply(text="")).format_observation_messages(said, [output])
    assert f"{SHOWN} characters left out" in seen["content"]
    assert len(seen["content"]) < SHOWN + 200


def test_a_clock_never_gives_more_than_is_left() -> None:
    now = iter([0.0, 4.0, 9.0, 20.0])
    clock = Clock(10.0, now=lambda: next(now))
    assert [clock.left(5.0) for _ in range(3)] == [5.0, 1.0, 0.0]

"""The student as mini-swe-agent's model: every reply comes through the router, is counted there and leaves a trace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reflact import Student
from reflact.types import ChatReply, ChatRequest, Message, Tool, ToolCall

from reflact_env_swebench.agent.actions import Action, NotUnderstood, actions_of

BASH = Tool(
    name="bash",
    description="Run a command in a fresh shell that starts in the repository, and see what it prints.",
    parameters={
        "type": "object",
        "properties": {"command": {"type": "string", "description": "What bash is to run."}},
        "required": ["command"],
        "additionalProperties": False,
    },
)
SHOWN = 10_000
"""Characters of a command's output that the student sees: its beginning and its end."""


@dataclass(slots=True, kw_only=True)
class RouterModel:
    """A model in mini-swe-agent's sense; *malformed* is what it raises for a reply without a command."""

    student: Student
    malformed: Any
    max_tokens: int
    config: Mapping[str, Any] = field(default_factory=dict)

    def query(self, messages: Sequence[Mapping[str, Any]], **_: Any) -> dict[str, Any]:
        """Return the student's next message with the commands in it. Raises `BackendError` where it gives no reply."""
        asked = tuple(map(_message, messages))
        reply = self.student.chat(ChatRequest(messages=asked, tools=(BASH,), max_tokens=self.max_tokens))
        said = {"role": "assistant", "content": reply.text, "tool_calls": list(map(_call, reply.tool_calls))}
        extra: dict[str, Any] = {"cost": reply.usd or 0.0, "finish": reply.finish}
        try:
            actions = actions_of(reply)
        except NotUnderstood as error:
            raise self.malformed({**said, "extra": extra}, *_complaints(reply, str(error))) from error
        return {**said, "extra": {**extra, "actions": list(map(_plain, actions))}}

    def format_message(self, **message: Any) -> dict[str, Any]:
        """Return *message* as it is."""
        return message

    def format_observation_messages(
        self, message: Mapping[str, Any], outputs: Sequence[Mapping[str, Any]], template_vars: object = None
    ) -> list[dict[str, Any]]:
        """Return what the commands of *message* printed, each as the answer to its call."""
        return [
            {**_addressed(action["tool_call_id"]), "content": _observed(output), "extra": dict(output)}
            for action, output in zip(message["extra"]["actions"], outputs, strict=True)
        ]

    def get_template_vars(self, **_: Any) -> dict[str, Any]:
        """Return nothing: the prompts need not know which model reads them."""
        return {}

    def serialize(self) -> dict[str, Any]:
        """Return what the trajectory file says of the model."""
        return {"info": {"config": {"model_type": f"{__name__}.{type(self).__name__}"}}}


def _message(one: Mapping[str, Any]) -> Message:
    calls = tuple(
        ToolCall(id=call["id"], name=call["function"]["name"], arguments=call["function"]["arguments"])
        for call in one.get("tool_calls") or ()
    )
    return Message(role=one["role"], content=one["content"], tool_calls=calls, tool_call_id=one.get("tool_call_id", ""))


def _call(call: ToolCall) -> dict[str, Any]:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}


def _plain(action: Action) -> dict[str, str]:
    return {"command": action.command, "tool_call_id": action.call_id}


def _addressed(call_id: str) -> dict[str, str]:
    return {"role": "tool", "tool_call_id": call_id} if call_id else {"role": "user"}


def _complaints(reply: ChatReply, told: str) -> list[dict[str, Any]]:
    """Return *told* as the answer to each call of *reply*, or as a message where there is none."""
    ids = [call.id for call in reply.tool_calls] or [""]
    return [{**_addressed(one), "content": told, "extra": {"interrupt_type": "FormatError"}} for one in ids]


def _observed(output: Mapping[str, Any]) -> str:
    text = str(output["output"])
    if len(text) > SHOWN:
        half = SHOWN // 2
        left_out = f"[… {len(text) - SHOWN} characters left out; print less at a time …]"
        text = f"{text[:half]}\n{left_out}\n{text[-half:]}"
    trouble = f"[{output['exception_info']}]\n" if output.get("exception_info") else ""
    return f"{trouble}exit code {output['returncode']}\n{text}"

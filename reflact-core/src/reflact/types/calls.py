"""What models are asked and what they answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from reflact.types.task import Outcome, Skill, Usage

Finish = Literal["stop", "tool_calls", "length", "refused"]
Hosted = Literal["web_search"]
"""A tool that the provider runs itself while the model replies."""
ONE_CALL = Usage(calls=1)


@dataclass(frozen=True, slots=True)
class Text:
    """A text part of a message."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """An image part of a message: encoded bytes and their media type, such as `image/png`."""

    data: bytes
    media_type: str
    label: str = ""
    detail: str = ""
    """How closely the model is to look (`low`, `high`, …), where its API can be told; empty leaves it to the model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A call the model asks for; `arguments` is the JSON text as the model wrote it."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool the model may call; `parameters` is a JSON schema."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message. `tool_calls` belong to the assistant, `tool_call_id` to a tool's answer."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str | tuple[Text | Image, ...] = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""

    @property
    def text(self) -> str:
        """The text parts, joined."""
        if isinstance(self.content, str):
            return self.content
        return "\n".join(part.text for part in self.content if isinstance(part, Text))


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """What a chat model is asked. `None` leaves a parameter to the backend's configuration."""

    messages: tuple[Message, ...]
    schema: Mapping[str, Any] | None = None
    schema_name: str = "reply"
    tools: tuple[Tool, ...] = ()
    tool_choice: Literal["auto", "none"] = "auto"
    """`none` keeps the tools of a conversation known, and has the model reply without calling one."""
    hosted_tools: tuple[Hosted, ...] = ()
    """Tools that the provider is to run itself; a backend that has none refuses the request."""
    max_tokens: int | None = None
    effort: str | None = None
    temperature: float | None = None
    stage: str = ""
    repeat: int = 0
    """Which of several equal requests this is; part of a cache key, never sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatReply:
    """What a chat model said. `finish` tells a complete reply from one that was cut or refused."""

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage = ONE_CALL
    finish: Finish = "stop"
    model: str = ""
    usd: float | None = None
    """What the provider says the call cost, where it says so."""
    searches: tuple[str, ...] = ()
    """What the provider searched the web for on behalf of the model, in this order."""
    sources: tuple[str, ...] = ()
    """The addresses the reply cites from there, each once."""

    @property
    def outcome(self) -> Outcome:
        """The outcome of a task that ends with this reply."""
        if self.finish == "refused":
            return "refused"
        if self.finish == "length":
            return "truncated"
        return "ok" if self.text.strip() or self.tool_calls else "empty"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resume:
    """Where an agent goes on: after step `after_step` (counted from 1) of the job that ran in `workdir`.

    The agent then sees what was said and done up to that step, and nothing after it. Files are as that job left them.
    """

    workdir: Path
    after_step: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecJob:
    """What a command-line agent is asked to do.

    `workdir` belongs to the job: the agent works in its folder `workspace`, and what is kept of the job (transcript,
    session) lies beside that. `files` are put into the workspace first: relative path -> content, or a file to copy.
    """

    workdir: Path
    prompt: str
    skill: Skill
    timeout_s: float
    images: tuple[Image, ...] = ()
    files: Mapping[str, str | bytes | Path] = field(default_factory=dict)
    resume: Resume | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecResult:
    """What the agent gave back: its last message, its steps, and how it ended.

    Each entry of `trace` is `{"role": "agent", "step": n, "kind": …, "content": …}`; `kind` is `message`, `reasoning`,
    `command`, `file_change`, `tool` or `error`. A command also has `output`, and `exit_code` when it is known. Steps
    are counted from 1, tool calls and messages alike; `summary` says in a few lines what the agent did.
    """

    answer: str
    trace: tuple[dict[str, Any], ...] = ()
    outcome: Outcome = "ok"
    usage: Usage = ONE_CALL
    error: str | None = None
    summary: str = ""
    workspace: Path | None = None
    """The folder the agent worked in, as it left it."""
    usd: float | None = None
    """What the provider says the job cost, where it says so."""

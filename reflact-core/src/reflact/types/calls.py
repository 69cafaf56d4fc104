"""What models are asked and what they answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from reflact.types.task import Outcome, Skill, Usage

Finish = Literal["stop", "tool_calls", "length", "refused"]
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

    @property
    def outcome(self) -> Outcome:
        """The outcome of a task that ends with this reply."""
        if self.finish == "refused":
            return "refused"
        if self.finish == "length":
            return "truncated"
        return "ok" if self.text.strip() or self.tool_calls else "empty"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecJob:
    """What a command-line agent is asked to do in `workdir`."""

    workdir: Path
    prompt: str
    skill: Skill
    timeout_s: float
    images: tuple[Image, ...] = ()
    resume: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecResult:
    """What the agent gave back: its last message, its normalised steps, and how it ended."""

    answer: str
    trace: tuple[dict[str, Any], ...] = ()
    outcome: Outcome = "ok"
    usage: Usage = ONE_CALL
    error: str | None = None

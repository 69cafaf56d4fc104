"""What plays a role: models that answer, agents that work, and how either is examined."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from reflact.contracts.words import Level
from reflact.types import ChatReply, ChatRequest, ExecJob, ExecResult


@runtime_checkable
class ChatModel(Protocol):
    """A model that answers messages. Blocking and thread-safe; a call that gives no reply raises `BackendError`."""

    def chat(self, request: ChatRequest) -> ChatReply: ...


@runtime_checkable
class ExecAgent(Protocol):
    """A command-line agent that works in a folder. Blocking and thread-safe; trouble raises `BackendError`."""

    def run(self, job: ExecJob) -> ExecResult: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was looked at before anything is paid for: what, whether it is well, and what to do if not.

    `level` is `good`, `info` (neither good nor bad), `warning` (the run can do without) or `error` (it cannot).
    """

    what: str
    level: Level
    told: str


@runtime_checkable
class ExaminesItself(Protocol):
    """A model or an agent that can tell, without a model call, whether it is able to work: installed, signed in, …"""

    def examine(self) -> Iterator[Finding]: ...

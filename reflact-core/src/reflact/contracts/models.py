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


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """Where calls go and what lets them in, fit to be shown: no secret is in it.

    `endpoint_from` and `key` are the name of a setting, `$` and a variable, or words; what is empty is not known.
    """

    endpoint: str = ""
    endpoint_from: str = ""
    """What names the endpoint; empty for the backend's own."""
    key: str = ""
    """Where the key comes from, or how calls sign in."""


@runtime_checkable
class ExaminesItself(Protocol):
    """A model or an agent that can tell, without a model call, whether it is able to work: installed, signed in, …"""

    def examine(self) -> Iterator[Finding]: ...

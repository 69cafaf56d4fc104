"""The roles of a run and the models behind them: the one way to a model, and the one place that counts calls."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from reflact.contracts import ChatModel, ExecAgent, Kind, RoleName
from reflact.errors import BackendError
from reflact.types import ChatReply, ChatRequest, ExecJob, ExecResult, Usage

UsageTable = Mapping[str, Mapping[str, Usage]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call that was made, for the ledger."""

    role: str
    stage: str
    model: str
    usage: Usage
    seconds: float
    error: str = ""


class Ledger:
    """What a process has spent, by role and stage; every call is passed on to *sink*."""

    def __init__(self, sink: Callable[[Call], None] = lambda call: None) -> None:
        self._sink = sink
        self._lock = threading.Lock()
        self._table: dict[str, dict[str, Usage]] = {}

    def add(self, call: Call) -> None:
        """Count *call*."""
        with self._lock:
            stages = self._table.setdefault(call.role, {})
            stages[call.stage] = stages.get(call.stage, Usage()) + call.usage
            self._sink(call)

    def table(self) -> dict[str, dict[str, Usage]]:
        """Return role -> stage -> usage so far."""
        with self._lock:
            return {role: dict(stages) for role, stages in self._table.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """A model bound to a role, metered. Has the methods of both kinds; the wrong one raises `BackendError`."""

    role: RoleName
    backend: str
    model_name: str
    kind: Kind
    model: ChatModel | ExecAgent
    ledger: Ledger

    def chat(self, request: ChatRequest) -> ChatReply:
        """Send *request*, count it, and name the role in an error. Halves of surrogate pairs come back as `?`."""
        if not isinstance(self.model, ChatModel):
            raise BackendError(f"{self.role}: {self.backend} is an agent, it cannot chat", fault="bad_request")
        started = time.monotonic()
        try:
            reply = self.model.chat(request)
        except BackendError as error:
            raise self._failed(error, request.stage, started) from error
        self._count(request.stage, reply.usage, started)
        text = reply.text.encode("utf-8", "replace").decode()
        return reply if text == reply.text else replace(reply, text=text)

    def run(self, job: ExecJob, stage: str = "rollout") -> ExecResult:
        """Run *job*, count it, and name the role in an error."""
        if not isinstance(self.model, ExecAgent):
            raise BackendError(f"{self.role}: {self.backend} is a chat model, it cannot run jobs", fault="bad_request")
        started = time.monotonic()
        try:
            result = self.model.run(job)
        except BackendError as error:
            raise self._failed(error, stage, started) from error
        self._count(stage, result.usage, started)
        return result

    def _count(self, stage: str, usage: Usage, started: float, error: str = "") -> None:
        seconds = round(time.monotonic() - started, 3)
        self.ledger.add(
            Call(
                role=self.role, stage=stage or "other", model=self.model_name, usage=usage, seconds=seconds, error=error
            )
        )

    def _failed(self, error: BackendError, stage: str, started: float) -> BackendError:
        self._count(stage, Usage(), started, error=error.fault)
        told = str(error)
        prefix = f"{self.role} ({self.backend}): "
        return BackendError(told if told.startswith(prefix) else prefix + told, fault=error.fault)


@dataclass(frozen=True, slots=True, kw_only=True)
class Router:
    """The bound roles of a run."""

    roles: Mapping[RoleName, Bound]
    ledger: Ledger

    def role(self, name: RoleName) -> Bound:
        """Return the model behind role *name*."""
        return self.roles[name]

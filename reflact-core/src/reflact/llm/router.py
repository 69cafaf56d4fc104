"""The roles of a run and the models behind them: the one way to a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import cast

from reflact.contracts import ChatModel, ExecAgent, Kind, RoleName
from reflact.errors import BackendError
from reflact.llm.budget import Purse
from reflact.llm.calls import Call, Ledger, UsageTable
from reflact.llm.hedge import Hedge
from reflact.llm.identity import request_key
from reflact.llm.limiter import Limiter
from reflact.llm.meter import Meter
from reflact.llm.prices import PriceList
from reflact.llm.replies import Replies
from reflact.llm.retry import Retry
from reflact.types import ChatReply, ChatRequest, ExecJob, ExecResult

__all__ = ["Bound", "Call", "Ledger", "Memo", "Router", "UsageTable", "Ways"]

ONCE = Retry(retries=0)
MOST = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Memo:
    """Where a role's replies are kept, and what its model and settings are called there."""

    replies: Replies
    identity: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ways:
    """How calls are made: how often, how many at once, within which budget, at what price, with what memory."""

    retry: Retry = ONCE
    limiter: Limiter = field(default_factory=lambda: Limiter(MOST))
    purse: Purse = field(default_factory=Purse)
    prices: PriceList = field(default_factory=PriceList)
    hedge: Hedge | None = None
    memo: Memo | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """A model bound to a role. Has the methods of both kinds; the wrong one raises `BackendError`.

    A chat call is remembered, else hedged, else made again when it fails, in its turn, and measured: from the outside
    in. A job of an agent is made once, since its task is done again as a whole; it takes its turn and is measured too.
    """

    role: RoleName
    backend: str
    model_name: str
    kind: Kind
    model: ChatModel | ExecAgent
    ledger: Ledger
    ways: Ways = field(default_factory=Ways)
    meter: Meter = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        purse, prices = self.ways.purse, self.ways.prices
        meter = Meter(role=self.role, model=self.model_name, ledger=self.ledger, purse=purse, prices=prices)
        object.__setattr__(self, "meter", meter)

    def chat(self, request: ChatRequest) -> ChatReply:
        """Return the reply to *request*. Halves of surrogate pairs come back as `?`.

        Raises `BackendError` that names the role, and `BudgetError` when the run may not spend more.
        """
        memo = self.ways.memo
        if memo is None:
            return self._hedged(request)
        key = request_key(memo.identity, request)
        known = memo.replies.get(key)
        if known is not None:
            self.meter.remembered(_stage(request.stage))
            return known
        reply = self._hedged(request)
        memo.replies.put(key, reply, backend=self.backend, model=self.model_name)
        return reply

    def run(self, job: ExecJob, stage: str = "rollout") -> ExecResult:
        """Return what became of *job*. Raises like `chat`."""
        if self.kind != "exec":
            raise BackendError(f"{self.role}: {self.backend} is a chat model, it cannot run jobs", fault="bad_request")
        agent = cast(ExecAgent, self.model)

        def make(attempt: int) -> ExecResult:
            return self.meter.measured(lambda: agent.run(job), stage=_stage(stage), attempt=attempt)

        try:
            return ONCE.run(make, self.ways.limiter)
        except BackendError as error:
            raise self._named(error) from error

    def _hedged(self, request: ChatRequest) -> ChatReply:
        hedge = self.ways.hedge
        if hedge is None:
            return self._retried(request)
        return hedge.run(lambda: self._retried(request), room=lambda: self.ways.limiter.room)

    def _retried(self, request: ChatRequest) -> ChatReply:
        if self.kind != "chat":
            raise BackendError(f"{self.role}: {self.backend} is an agent, it cannot chat", fault="bad_request")
        model = cast(ChatModel, self.model)

        def make(attempt: int) -> ChatReply:
            return self.meter.measured(lambda: model.chat(request), stage=_stage(request.stage), attempt=attempt)

        try:
            reply = self.ways.retry.run(make, self.ways.limiter)
        except BackendError as error:
            raise self._named(error) from error
        text = reply.text.encode("utf-8", "replace").decode()
        return reply if text == reply.text else replace(reply, text=text)

    def _named(self, error: BackendError) -> BackendError:
        told = str(error)
        prefix = f"{self.role} ({self.backend}): "
        named = told if told.startswith(prefix) else prefix + told
        return BackendError(named, fault=error.fault, retry_after_s=error.retry_after_s)


@dataclass(frozen=True, slots=True, kw_only=True)
class Router:
    """The bound roles of a run."""

    roles: Mapping[RoleName, Bound]
    ledger: Ledger
    notes: tuple[str, ...] = ()
    """What the user should know about how the calls are made before they are."""

    def role(self, name: RoleName) -> Bound:
        """Return the model behind role *name*."""
        return self.roles[name]

    def settle(self) -> None:
        """Wait for calls whose reply is not needed any more, so that all of them are on record."""
        for bound in self.roles.values():
            if bound.ways.hedge is not None:
                bound.ways.hedge.settle()


def _stage(name: str) -> str:
    return name or "other"

"""Scripted models for tests of everything above a backend: no network, no chance, every request on record."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from reflact.config.schema import Config
from reflact.contracts import BackendSpec, ChatModel, ExecAgent, Kind
from reflact.errors import unknown
from reflact.hookspecs import hookimpl
from reflact.types import ChatReply, ChatRequest, Usage

Replies = Callable[[ChatRequest], "str | ChatReply"]
StageReply = str | Mapping[str, Any] | Callable[[ChatRequest], "str | Mapping[str, Any] | ChatReply"]


def rough_tokens(text: str) -> int:
    """Return a token count for *text*: a quarter of its characters, rounded up."""
    return -(-len(text) // 4)


class ScriptedModel:
    """A `ChatModel` whose replies are a function of the request.

    *replies* is called from the thread that asks, many at once; what it raises reaches the caller as it is.
    A plain text becomes a finished reply whose usage is one call and rough token counts. What is asked before a run
    begins, whether there is a model at all, is answered without *replies*.
    """

    def __init__(self, replies: Replies) -> None:
        self._replies = replies
        self._lock = threading.Lock()
        self._requests: list[ChatRequest] = []

    @property
    def requests(self) -> tuple[ChatRequest, ...]:
        """All requests so far, in order of arrival."""
        with self._lock:
            return tuple(self._requests)

    def chat(self, request: ChatRequest) -> ChatReply:
        """Return the scripted reply to *request*."""
        if request.stage == "preflight":
            return ChatReply(text="OK", model="scripted")
        with self._lock:
            self._requests.append(request)
        said = self._replies(request)
        if isinstance(said, ChatReply):
            return said
        prompt = sum(rough_tokens(message.text) for message in request.messages)
        usage = Usage(calls=1, prompt=prompt, completion=rough_tokens(said))
        return ChatReply(text=said, usage=usage, model="scripted")


class ScriptedTeacher(ScriptedModel):
    """A `ScriptedModel` that looks its replies up by `ChatRequest.stage`; a mapping is sent as JSON.

    A stage without a reply raises `LookupError`: a test says what every stage gets.
    """

    def __init__(self, stages: Mapping[str, StageReply]) -> None:
        super().__init__(self._reply)
        self._stages = dict(stages)

    def _reply(self, request: ChatRequest) -> str | ChatReply:
        if request.stage not in self._stages:
            raise LookupError(unknown("stage", request.stage, self._stages))
        scripted = self._stages[request.stage]
        said = scripted(request) if callable(scripted) else scripted
        return json.dumps(said) if isinstance(said, Mapping) else said


class ScriptedConfig(Config):
    """The section of a scripted backend."""

    model: str = "scripted"
    """A name for the run's records; it changes nothing."""


@dataclass(frozen=True, eq=False)
class ScriptedBackend:
    """A plugin that registers one model object as a backend."""

    spec: BackendSpec

    @hookimpl
    def reflact_backends(self) -> Iterable[BackendSpec]:
        """Return the backend."""
        return [self.spec]


def scripted_backend(name: str, model: ChatModel | ExecAgent) -> ScriptedBackend:
    """Return a plugin for `Plugins.register` whose backend *name* always is *model*."""
    kind: Kind = "chat" if isinstance(model, ChatModel) else "exec"
    spec = BackendSpec(name=name, kind=kind, config=ScriptedConfig, build=lambda _: model, summary="scripted")
    return ScriptedBackend(spec)

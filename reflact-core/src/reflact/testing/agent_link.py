"""How an agent contract reaches the command-line agent under test, and what only its package can know about it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, cast

from reflact.contracts import ChatModel, ExecAgent, Kind
from reflact.testing.registered import KEY, Registered
from reflact.testing.server import FakeReply, FakeRequest
from reflact.types import ExecJob, Skill, ToolCall


class AgentLink(Registered):
    """Builds the agent `name`, as it is registered, with the real program behind it, against a server."""

    kind: ClassVar[Kind] = "exec"
    path: str
    """The real program. Set it in a fixture of your own that is used by all tests, and skips without the program."""
    nowhere: ClassVar[Mapping[str, Any]] = {"path": "no-such-program"}
    """The configuration of an agent whose program is not there."""

    def shell(self, command: str) -> ToolCall:
        """Return the call by which a model has the agent run *command*."""
        raise NotImplementedError("say how a model calls the agent's shell")

    def conversation(self, request: FakeRequest) -> Sequence[str]:
        """Return what the model is shown, one text for each message, call and output, without the agent's own words."""
        raise NotImplementedError("say how the agent writes a conversation")

    def settings(self, url: str) -> dict[str, Any]:
        """Return the configuration that points the agent at the server *url* with the key `KEY`."""
        return {"path": self.path, "base_url": f"{url}/v1", "api_key": KEY, "model": "m"}

    def held_to_schema(self, _request: FakeRequest, text: str) -> FakeReply:
        """Return how a model that is held to a schema says the JSON *text*: some agents have it call a tool."""
        return FakeReply(text=text)

    def agent(self, url: str, **more: Any) -> ExecAgent:
        """Return the agent against the server *url*."""
        spec = self.spec()
        return cast(ExecAgent, spec.build(spec.config(**{**self.settings(url), **more})))

    def answering(self, url: str, **more: Any) -> ChatModel:
        """Return what answers as teacher or judge against the server *url*."""
        spec = self.spec()
        assert spec.chat is not None
        return spec.chat(spec.config(**{**self.settings(url), **more}))

    def runs(self, *commands: str, last: FakeReply | str) -> Callable[[FakeRequest], FakeReply]:
        """Return a model that has one of *commands* run after another, and then says *last*."""
        calls = [FakeReply(tool_calls=(self.shell(command),)) for command in commands]
        replies = [*calls, last if isinstance(last, FakeReply) else FakeReply(text=last)]
        return lambda request: replies[len(request.results)]


def job(folder: Path, name: str = "job", **more: Any) -> ExecJob:
    """Return a job in a folder of its own below *folder*."""
    given: dict[str, Any] = {"prompt": "Do it.", "skill": Skill("- Rule one."), "timeout_s": 60.0, **more}
    return ExecJob(workdir=folder / name, **given)


def texts_in(told: Any) -> Iterator[str]:
    """Yield every text in a JSON value."""
    if isinstance(told, str):
        yield told
    elif isinstance(told, Mapping):
        for value in told.values():
            yield from texts_in(value)
    elif isinstance(told, list | tuple):
        for value in told:
            yield from texts_in(value)


def sent(request: FakeRequest) -> str:
    """Return all that a request says, its texts parted by line ends."""
    return "\n".join(texts_in(json.loads(json.dumps(request.body))))


def command_lines() -> list[bytes]:
    """Return the command lines of all processes of this machine."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found.append(file.read_bytes())
        except OSError:
            continue
    return found


def holding(folder: Path, secret: str) -> list[Path]:
    """Return the files below *folder* that hold *secret*."""
    return [one for one in folder.rglob("*") if one.is_file() and secret.encode() in one.read_bytes()]

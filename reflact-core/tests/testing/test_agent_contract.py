from collections.abc import Iterator, Sequence
from inspect import signature
from pathlib import Path
from typing import Any

import pytest
from reflact.contracts import Finding
from reflact.errors import ConfigError
from reflact.testing import AgentContract, FakeRequest, ScriptedModel
from reflact.types import ExecJob, ExecResult, ToolCall


class Idle:
    """An agent that never asks its server and always says the same."""

    def run(self, job: ExecJob) -> ExecResult:
        return ExecResult(answer="always the same")

    def examine(self) -> Iterator[Finding]:
        return iter(())


class Deaf(AgentContract):
    name = "deaf"
    path = "/bin/true"

    def agent(self, url: str, **more: Any) -> Idle:
        return Idle()

    def answering(self, url: str, **more: Any) -> ScriptedModel:
        return ScriptedModel(lambda _: "always the same")

    def shell(self, command: str) -> ToolCall:
        return ToolCall(id="call_1", name="shell", arguments=command)

    def conversation(self, request: FakeRequest) -> Sequence[str]:
        return []


def arguments(test: Any, known: dict[str, Any]) -> dict[str, Any]:
    """Return what pytest would call *test* with, the first of its parameters."""
    for mark in getattr(test, "pytestmark", ()):
        names, values = mark.args[0], mark.args[1][0]
        known |= {names: values} if isinstance(names, str) else dict(zip(names, values, strict=True))
    return {name: known[name] for name in signature(test).parameters}


@pytest.mark.parametrize("name", [name for name in dir(AgentContract) if name.startswith("test_")])
def test_an_agent_that_never_asks_its_server_passes_no_test(
    name: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    test = getattr(Deaf(), name)
    given = arguments(test, {"tmp_path": tmp_path, "caplog": caplog})
    with pytest.raises((AssertionError, LookupError, ConfigError, ValueError, pytest.fail.Exception)):
        test(**given)

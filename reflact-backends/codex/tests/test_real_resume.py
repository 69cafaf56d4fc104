"""The real Codex goes on after a step of an earlier job: the model sees what came before, the probe, and no more."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from reflact import BackendError, ExecJob, Resume, Skill, ToolCall, Usage
from reflact.testing import FakeModelServer, FakeReply, FakeRequest
from reflact_backend_codex import CodexAgent, CodexConfig
from reflact_backend_codex.client import Client

pytestmark = pytest.mark.slow
Job = Callable[..., ExecJob]
USED = Usage(calls=1, prompt=100, cached=20, completion=10, reasoning=3)


def model(request: FakeRequest) -> FakeReply:
    """Make a file in three commands, two of them at once; answer a probe at once."""
    if "PROBE" in json.dumps(request.messages[-2:]):
        return FakeReply(text="because", usage=USED)
    calls = ["echo one | tee a.txt"], ["echo two >> a.txt; echo two", "echo three"], []
    number = len(request.results)
    wanted = calls[0] if number == 0 else calls[1] if number == 1 else calls[2]
    tools = tuple(
        ToolCall(id=f"call_{number}_{place}", name="exec_command", arguments=json.dumps({"cmd": command}))
        for place, command in enumerate(wanted)
    )
    return FakeReply(text=f"say {number}", tool_calls=tools, usage=USED)


def conversation(request: FakeRequest) -> list[str]:
    """Return what the model is shown, one text an item, without the names of folders and threads."""
    return [_text(item) for item in request.messages]


def _text(item: Any) -> str:
    if item.get("type") == "function_call":
        return f"call {json.loads(item['arguments'])['cmd']}"
    if item.get("type") == "function_call_output":
        return f"output {str(item['output']).partition('Output:')[2].strip()}"
    text = "".join(part.get("text", "") for part in item.get("content") or ())
    return f"{item.get('role')}: {text}".replace("/first/", "/JOB/").replace("/second/", "/JOB/")


@pytest.fixture
def agent_of(real_codex: str) -> Callable[[FakeModelServer], CodexAgent]:
    """Return what connects the real Codex to a server."""

    def agent(server: FakeModelServer) -> CodexAgent:
        config = CodexConfig(path=real_codex, model="m", base_url=f"{server.url}/v1")
        return CodexAgent(config, Client({"PATH": "/usr/local/bin:/usr/bin:/bin"}))

    return agent


@pytest.mark.parametrize(
    ("after", "seen"),
    [
        (0, []),
        (
            4,
            [
                "assistant: say 0",
                "call echo one | tee a.txt",
                "output one",
                "assistant: say 1",
                "call echo two >> a.txt; echo two",
                "output two",
            ],
        ),
    ],
)
def test_the_model_sees_exactly_the_steps_up_to_there_and_the_probe(
    agent_of: Callable[[FakeModelServer], CodexAgent], job: Job, after: int, seen: list[str]
) -> None:
    with FakeModelServer(model) as server:
        agent = agent_of(server)
        first = agent.run(job("first", prompt="Make a file.", skill=Skill("- RULE.")))
        whole = conversation(server.requests[-1])
        asked = len(server.requests)
        resume = Resume(workdir=job("first").workdir, after_step=after)
        second = agent.run(job("second", prompt="PROBE: why?", skill=Skill("- RULE."), resume=resume))
        probed = conversation(server.requests[asked])
        assert len(server.requests) == asked + 1
    assert [step["kind"] for step in first.trace] == ["message", "command", "message", "command", "command", "message"]
    begin = next(place for place, text in enumerate(whole) if text.startswith("assistant"))
    assert probed == [*whole[:begin], *seen, "user: PROBE: why?"]
    assert [(step["step"], step["content"]) for step in second.trace] == [(1, "because")]
    assert (second.answer, second.usage) == ("because", USED)


def test_the_workspace_is_a_copy_of_what_was_left_and_the_earlier_job_stays_as_it_was(
    agent_of: Callable[[FakeModelServer], CodexAgent], job: Job
) -> None:
    with FakeModelServer(model) as server:
        agent = agent_of(server)
        first = agent.run(job("first"))
        resume = Resume(workdir=job("first").workdir, after_step=2)
        second = agent.run(job("second", prompt="PROBE", resume=resume))
    assert first.workspace and second.workspace and first.workspace != second.workspace
    assert (second.workspace / "a.txt").read_text() == "one\ntwo\n"
    (second.workspace / "a.txt").write_text("changed")
    assert (first.workspace / "a.txt").read_text() == "one\ntwo\n"


def test_a_resumed_job_can_be_resumed_in_turn(agent_of: Callable[[FakeModelServer], CodexAgent], job: Job) -> None:
    with FakeModelServer(model) as server:
        agent = agent_of(server)
        agent.run(job("first"))
        agent.run(job("second", prompt="PROBE 1", resume=Resume(workdir=job("first").workdir, after_step=2)))
        agent.run(job("third", prompt="PROBE 2", resume=Resume(workdir=job("second").workdir, after_step=1)))
        seen = conversation(server.requests[-1])
    assert seen[-3:] == ["user: PROBE 1", "assistant: because", "user: PROBE 2"]


def test_another_skill_is_shown_anew(agent_of: Callable[[FakeModelServer], CodexAgent], job: Job) -> None:
    with FakeModelServer(model) as server:
        agent = agent_of(server)
        agent.run(job("first", skill=Skill("- OLD.")))
        resume = Resume(workdir=job("first").workdir, after_step=2)
        agent.run(job("second", prompt="PROBE", skill=Skill("- NEW."), resume=resume))
        assert "- NEW." in "".join(conversation(server.requests[-1])[-2:])


def test_a_step_that_never_was_is_refused(agent_of: Callable[[FakeModelServer], CodexAgent], job: Job) -> None:
    with FakeModelServer(model) as server:
        agent = agent_of(server)
        agent.run(job("first"))
        resume = Resume(workdir=job("first").workdir, after_step=9)
        with pytest.raises(BackendError, match="cannot resume after step 9: the job has 6 steps"):
            agent.run(job("second", prompt="PROBE", resume=resume))

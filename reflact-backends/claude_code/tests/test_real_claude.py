"""The real Claude Code against a server on the loopback: what it is sent, what it does, what comes back."""

from __future__ import annotations

import json
import re
import time
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from reflact import BackendError, ChatRequest, ExecJob, Message, ToolCall, Usage
from reflact.testing import FakeModelServer, FakeReply, FakeRequest
from reflact.types import Image, Resume, Text
from reflact_backend_claude_code import ClaudeCodeConfig
from reflact_backend_claude_code.agent import ClaudeCodeAgent
from reflact_backend_claude_code.chat import ClaudeCodeChat

pytestmark = pytest.mark.slow

Job = Callable[..., ExecJob]
KEY = "sk-ant-marker-of-the-real-test"
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"
RED = Image(data=b64decode(PIXEL), media_type="image/png", label="Image #1")
SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}


def config(claude: str, server: FakeModelServer, **settings: Any) -> ClaudeCodeConfig:
    given = {"path": claude, "base_url": server.url, "api_key": KEY, "model": "m", "max_retries": 0, **settings}
    return ClaudeCodeConfig.model_validate(given)


def bash(command: str, ident: str, text: str = "") -> FakeReply:
    return FakeReply(
        text=text, tool_calls=(ToolCall(id=ident, name="Bash", arguments=json.dumps({"command": command})),)
    )


def said(request: FakeRequest) -> list[tuple[str, str, str]]:
    """Return what a request holds, without what Claude Code adds about folders and dates: role, kind, words."""
    found = []
    for message in request.messages:
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        for block in blocks if message["role"] != "system" else ():
            words = block.get("text") or block.get("content") or json.dumps(block.get("input"))
            found.append((message["role"], block["type"], re.sub(r"/\S+/(?=claude/skills|workspace)", "/", str(words))))
    return found


def test_a_task_is_done_with_the_skill_and_the_tools(claude: str, job: Job) -> None:
    def script(request: FakeRequest) -> FakeReply:
        steps = [bash("cat task.md; echo hello > out.txt", "c1", "I look."), bash("exit 3", "c2")]
        done = FakeReply(text="<answer>42</answer>", usage=Usage(prompt=120, cached=100, completion=30, reasoning=20))
        return [*steps, done][len(request.results)]

    with FakeModelServer(script, key=KEY) as server:
        agent = ClaudeCodeAgent(config(claude, server, model="claude-sonnet-4-6", effort="low"))
        assert {one.level for one in agent.examine()} == {"good"}
        result = agent.run(job("Do it.\nNow.", skill="# Rules\n- costs $1, all $ARGUMENTS\n- !`date`"))
        first = server.requests[0]
    assert (result.outcome, result.answer, result.error) == ("ok", "<answer>42</answer>", None)
    assert [(one["kind"], one.get("exit_code")) for one in result.trace] == [
        ("message", None),
        ("command", 0),
        ("command", 3),
        ("message", None),
    ]
    assert "Do it.\nNow." in result.trace[1]["output"]
    assert result.workspace is not None and (result.workspace / "out.txt").read_text() == "hello\n"
    assert (result.usage.calls, result.usage.cached, result.usage.reasoning) == (3, 100, 20)
    assert result.usd is not None and 0 < result.usd < 1
    assert "- costs $1, all $ARGUMENTS\n- \\!`date`" in first.text or any("costs $1" in one[2] for one in said(first))
    assert [tool["name"] for tool in first.body["tools"]] == ["Bash", "Edit", "Read", "Skill", "Write"]
    assert first.body["output_config"]["effort"] == "low"
    told = json.dumps(first.body)
    assert told.count("reflact-student: ") == 1 and "Co-Authored-By" not in told and "dataviz" not in told
    assert "shown at the start" in result.summary


def test_the_students_shell_has_a_token_of_the_job_and_the_home_is_gone(claude: str, job: Job) -> None:
    given = job()
    with FakeModelServer(lambda r: FakeReply(text="done") if r.results else bash("env", "c1"), key=KEY) as server:
        ClaudeCodeAgent(config(claude, server)).run(given)
        assert "ANTHROPIC_API_KEY=sk-ant-job-" in server.requests[-1].results[0]
    assert not list(given.workdir.glob(".private-*"))


@pytest.mark.parametrize("after", [1, 3, 5])
def test_a_probe_sees_the_steps_up_to_its_own_and_nothing_after(claude: str, job: Job, after: int) -> None:
    def script(request: FakeRequest) -> FakeReply:
        if "PROBE" in request.text or "PROBE" in json.dumps(request.messages[-1]):
            return FakeReply(text="probed")
        steps = [bash("echo 1 > one.txt; pwd", "c1", "I begin."), bash("echo 2", "c2", "I go on.")]
        return [*steps, FakeReply(text="<answer>42</answer>")][len(request.results)]

    first = job("Do it.", skill="THE RULE")
    with FakeModelServer(script) as server:
        agent = ClaudeCodeAgent(config(claude, server))
        whole = agent.run(first)
        asked = len(server.requests)
        probe = job("PROBE: why?", skill="THE RULE", resume=Resume(workdir=first.workdir, after_step=after))
        result = agent.run(probe)
        (request,) = server.requests[asked:]
        before = said(server.requests[0])
    assert [one["kind"] for one in whole.trace] == ["message", "command", "message", "command", "message"]
    assert (result.answer, result.outcome) == ("probed", "ok")
    assert said(request) == [*before, *_steps(whole.trace[:after]), ("user", "text", "PROBE: why?")]
    assert str(first.workdir) not in json.dumps(request.body)
    assert result.workspace is not None and (result.workspace / "one.txt").is_file()


def _steps(trace: tuple[dict[str, Any], ...]) -> list[tuple[str, str, str]]:
    found: list[tuple[str, str, str]] = []
    for step in trace:
        if step["kind"] == "message":
            found.append(("assistant", "text", step["content"]))
        else:
            found.append(("assistant", "tool_use", json.dumps({"command": step["content"]})))
            found.append(("user", "tool_result", re.sub(r"/\S+/(?=workspace)", "/", step["output"])))
    return found


def test_images_are_seen_and_lie_in_the_workspace(claude: str, job: Job) -> None:
    with FakeModelServer(lambda _: "red") as server:
        result = ClaudeCodeAgent(config(claude, server)).run(job("Which colour?", skill="THE RULE", images=(RED,)))
        sent = json.dumps(server.requests[0].body["messages"])
    assert result.answer == "red"
    assert sent.count('"type": "image"') == 1
    assert "THE RULE" in sent and "attachments/01.png" in sent
    assert result.workspace is not None and (result.workspace / "attachments" / "01.png").read_bytes() == RED.data


def test_instructions_lying_in_the_workspace_are_not_followed(claude: str, job: Job) -> None:
    hook = {"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "echo > hooked.txt"}]}]}}
    files = {
        ".claude/settings.json": json.dumps(hook),
        ".mcp.json": json.dumps({"mcpServers": {"x": {"command": "touch", "args": ["served.txt"]}}}),
        "CLAUDE.md": "PLANTED-1",
        "AGENTS.md": "PLANTED-2",
        ".claude/skills/other/SKILL.md": "---\nname: other\ndescription: PLANTED-3\n---\nx\n",
        "notes.txt": "PLANTED-4",
    }
    with FakeModelServer(lambda _: "done") as server:
        result = ClaudeCodeAgent(config(claude, server)).run(job("See @notes.txt and go on.", files=files))
        sent = json.dumps(server.requests[0].body)
    assert result.outcome == "ok"
    assert "PLANTED" not in sent
    assert result.workspace is not None
    assert not [name for name in ("hooked.txt", "served.txt") if (result.workspace / name).exists()]


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        (FakeReply(status=400, message="Your credit balance is too low"), "quota"),
        (FakeReply(status=429, message="slow down"), "rate_limit"),
        (FakeReply(status=529, message="busy"), "unavailable"),
        (FakeReply(status=404, message="no such model"), "bad_request"),
        (FakeReply(status=400, message="prompt is too long: 300000 tokens > 200000 maximum"), "context"),
        (FakeReply(bad_json=True), "protocol"),
    ],
)
def test_what_the_server_says_is_the_fault(claude: str, job: Job, reply: FakeReply, fault: str) -> None:
    with FakeModelServer(lambda _: reply) as server, pytest.raises(BackendError) as caught:
        ClaudeCodeAgent(config(claude, server)).run(job())
    assert caught.value.fault == fault
    assert KEY not in str(caught.value)


def test_a_task_that_needs_too_many_turns_is_truncated(claude: str, job: Job) -> None:
    with FakeModelServer(lambda request: bash("true", f"c{request.index}", "again")) as server:
        result = ClaudeCodeAgent(config(claude, server, max_turns=2)).run(job())
    assert (result.outcome, result.answer) == ("truncated", "again")


def test_a_deadline_ends_the_command_and_what_it_runs(claude: str, job: Job) -> None:
    command = "setsid tail --pid=1 -s 617.5 -f /dev/null & tail --pid=1 -s 617.5 -f /dev/null"
    with FakeModelServer(lambda _: bash(command, "c1")) as server:
        started = time.monotonic()
        result = ClaudeCodeAgent(config(claude, server)).run(job(timeout_s=4))
    assert (result.outcome, result.usage.calls) == ("timeout", 1)
    assert time.monotonic() - started < 30
    lines = [file.read_bytes() for file in Path("/proc").glob("[0-9]*/cmdline") if file.exists()]
    assert not [line for line in lines if line.startswith(b"tail\x00") and b"617.5" in line]


def test_a_login_is_used_without_being_shown(
    claude: str, job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = "sk-ant-oat01-marker-of-a-login"
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CLAUDE_CODE_OAUTH_TOKEN", token)
    with FakeModelServer(lambda r: FakeReply(text="done") if r.results else bash("env", "c1"), key=token) as server:
        result = ClaudeCodeAgent(config(claude, server, api_key=None)).run(job())
        beta = server.requests[0].headers["anthropic-beta"]
    assert result.outcome == "ok" and "oauth" in beta
    assert "ANTHROPIC_BASE_URL=http://127.0.0.1" in result.trace[0]["output"]
    assert token not in repr(result)


def test_a_teacher_answers_without_tools(claude: str) -> None:
    content = (Text("Where?"), RED)
    request = ChatRequest(messages=(Message(role="system", content="Be brief."), Message(role="user", content=content)))
    usage = Usage(prompt=50, cached=0, completion=9)
    with FakeModelServer(lambda _: FakeReply(text="Lima", usage=usage), key=KEY) as server:
        chat = ClaudeCodeChat(config(claude, server, max_tokens=500))
        assert {one.level for one in chat.examine()} == {"good"}
        reply = chat.chat(request)
        (sent,) = server.requests
    assert (reply.text, reply.finish, reply.usage) == ("Lima", "stop", Usage(calls=1, prompt=50, completion=9))
    assert (sent.body["tools"], sent.body["max_tokens"]) == ([], 500)
    assert "Be brief." in sent.system
    assert [kind for _, kind, _ in said(sent)][-2:] == ["text", "image"]

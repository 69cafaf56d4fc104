"""The real Codex as a student, against a model server on this machine."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from reflact import BackendError, ExecJob, Image, Skill, ToolCall
from reflact.testing import FakeModelServer, FakeReply, FakeRequest
from reflact_backend_codex import CodexAgent, CodexConfig
from reflact_backend_codex.client import Client

pytestmark = pytest.mark.slow
Job = Callable[..., ExecJob]
Connect = Callable[..., CodexAgent]
KEY = "marker-key-0123456789"
PIXEL = Image(
    data=bytes.fromhex(
        "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63606060000000040001f61738550000"
        "000049454e44ae426082"
    ),
    media_type="image/png",
    label="Image #1",
)


@pytest.fixture
def connect(real_codex: str) -> Connect:
    """Return what connects the real Codex to a server."""

    def agent(server: FakeModelServer, **settings: Any) -> CodexAgent:
        given = {"path": real_codex, "model": "m", "base_url": f"{server.url}/v1", "api_key": KEY, **settings}
        return CodexAgent(CodexConfig(**given), Client({"PATH": "/usr/local/bin:/usr/bin:/bin"}))

    return agent


def shell(command: str, name: str = "call_1") -> FakeReply:
    """Return the reply of a model that has *command* run."""
    arguments = json.dumps({"cmd": command})
    return FakeReply(tool_calls=(ToolCall(id=name, name="exec_command", arguments=arguments),))


def steps(*replies: FakeReply | str) -> Callable[[FakeRequest], FakeReply | str]:
    """Return a model that gives one of *replies* after another, by the results it was shown."""
    return lambda request: replies[len(request.results)]


def sent(request: FakeRequest) -> str:
    return json.dumps(request.messages, ensure_ascii=False)


def test_a_task_is_done_with_the_skill_in_view(connect: Connect, job: Job) -> None:
    model = steps(shell("cat task.md > copy.txt; exit 3"), "done <answer>7</answer>")
    with FakeModelServer(model, key=KEY) as server:
        result = connect(server).run(job(prompt="Do it.", skill=Skill("- RULE: say 7.")))
        first = sent(server.requests[0])
    assert (result.answer, result.outcome, result.usage.calls) == ("done <answer>7</answer>", "ok", 2)
    assert [(step["kind"], step.get("exit_code")) for step in result.trace] == [("command", 3), ("message", None)]
    assert result.workspace and (result.workspace / "copy.txt").read_text() == "Do it.\n"
    assert "- RULE: say 7." in first and "$reflact-student\\n\\nDo it." in first
    assert "read SKILL.md: shown at the start" in result.summary
    assert "unrecognized" not in (job().workdir / "events.jsonl").read_text()


def test_a_refusal_in_words_is_no_answer(connect: Connect, job: Job) -> None:
    with FakeModelServer(lambda _: FakeReply(refusal="I will not.")) as server:
        result = connect(server, request_retries=0).run(job())
    assert (result.outcome, result.answer) == ("refused", "")


def test_what_was_said_before_a_cut_is_the_answer(connect: Connect, job: Job) -> None:
    with FakeModelServer(lambda _: FakeReply(text="half", finish="length")) as server:
        result = connect(server, request_retries=0).run(job())
    assert (result.outcome, result.answer) == ("truncated", "half")


def test_the_students_shell_knows_no_variable_of_ours_and_the_home_is_gone(connect: Connect, job: Job) -> None:
    with FakeModelServer(steps(shell("env"), "done"), key=KEY) as server:
        connect(server).run(job())
        shown = server.requests[1].results[0]
    assert "TMPDIR=" in shown and "REFLACT_CODEX_KEY" not in shown
    assert not list(job().workdir.glob(".private-*"))


def test_a_command_that_the_sandbox_stops_is_in_the_trace(connect: Connect, job: Job) -> None:
    with FakeModelServer(steps(shell("touch here.txt; touch /etc/reflact-was-here"), "no")) as server:
        result = connect(server).run(job())
    assert result.trace[0]["exit_code"] == 1
    assert "Read-only file system" in result.trace[0]["output"]
    assert result.workspace and (result.workspace / "here.txt").exists()
    assert not Path("/etc/reflact-was-here").exists()


def test_a_read_only_student_writes_nothing(connect: Connect, job: Job) -> None:
    with FakeModelServer(steps(shell("touch here.txt"), "no")) as server:
        result = connect(server, sandbox="read-only").run(job())
    assert result.trace[0]["exit_code"] == 1
    assert result.workspace and not (result.workspace / "here.txt").exists()


def test_a_key_that_the_student_finds_all_the_same_is_masked_wherever_it_is_kept(connect: Connect, job: Job) -> None:
    model = steps(shell(f"echo {KEY} | tee found.txt"), f"the key is {KEY}")
    with FakeModelServer(model, key=KEY) as server:
        result = connect(server, sandbox="danger-full-access").run(job())
    assert result.answer == "the key is ***"
    assert not [file for file in job().workdir.rglob("*") if file.is_file() and KEY.encode() in file.read_bytes()]


def test_an_image_that_codex_cannot_read_is_not_left_out_in_silence(connect: Connect, job: Job) -> None:
    broken = replace(PIXEL, data=b"\x89PNG\r\n\x1a\n")
    with (
        FakeModelServer(lambda _: "nothing") as server,
        pytest.raises(BackendError, match=r"attachments/01\.png") as caught,
    ):
        connect(server).run(job(images=(broken,)))
    assert caught.value.fault == "bad_request"


def test_a_project_above_the_run_folder_does_not_speak_to_the_student(
    connect: Connect, job: Job, tmp_path: Path
) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / "AGENTS.md").write_text("FROM-ABOVE")
    above = tmp_path / ".agents" / "skills" / "other"
    above.mkdir(parents=True)
    (above / "SKILL.md").write_text("---\nname: other\ndescription: FROM-ABOVE\n---\nx\n")
    with FakeModelServer(lambda _: "ok") as server:
        connect(server).run(job())
        assert "FROM-ABOVE" not in sent(server.requests[0])


def test_a_timeout_kills_what_the_model_started(connect: Connect, job: Job) -> None:
    seconds = f"81.{time.time_ns() % 10**9:09d}"
    model = steps(shell(f"setsid sleep {seconds} & sleep {seconds}"), FakeReply(hang_s=60))
    for sandbox in ("workspace-write", "danger-full-access"):
        with FakeModelServer(model) as server:
            agent = connect(server, sandbox=sandbox)
            assert agent.program.version
            result = agent.run(job(sandbox, timeout_s=3.0))
        assert result.outcome == "timeout"
        assert result.trace[0]["content"].startswith("setsid sleep")
        assert not subprocess.run(["pgrep", "-f", f"sleep {seconds}"], capture_output=True, check=False).stdout


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        (FakeReply(status=429, message=f"slow down, {KEY}"), "rate_limit"),
        (FakeReply(status=500), "unavailable"),
        (FakeReply(status=400, message="The model `m` does not exist"), "bad_request"),
        (FakeReply(drop=True, text="x" * 300), "unavailable"),
    ],
    ids=["rate", "overloaded", "model", "cut"],
)
def test_a_server_in_trouble_is_an_error_of_its_kind_and_never_a_score(
    connect: Connect, job: Job, reply: FakeReply, fault: str
) -> None:
    with FakeModelServer(lambda _: reply) as server, pytest.raises(BackendError) as caught:
        connect(server, request_retries=0).run(job())
    assert caught.value.fault == fault
    assert KEY not in str(caught.value) and server.url in str(caught.value)


def test_a_server_that_is_not_there_ends_at_once(connect: Connect, job: Job) -> None:
    with FakeModelServer(lambda _: "ok") as server:
        pass
    started = time.monotonic()
    with pytest.raises(BackendError, match="error sending request"):
        connect(server, request_retries=0).run(job(timeout_s=60.0))
    assert time.monotonic() - started < 20


def test_a_model_that_writes_scripts_leaves_the_same_trace(connect: Connect, job: Job) -> None:
    script = 'const r = await tools.exec_command({cmd: "echo one; exit 3"}); text(r.output ?? r);'
    call = FakeReply(tool_calls=(ToolCall(id="call_1", name="exec", arguments=script),))
    with FakeModelServer(steps(call, "ok")) as server:
        step = connect(server, model="gpt-6-sol").run(job()).trace[0]
    assert (step["kind"], step["content"], step["exit_code"]) == ("command", "echo one; exit 3", 3)


def test_eight_students_at_once_share_nothing(connect: Connect, job: Job) -> None:
    def model(request: FakeRequest) -> FakeReply | str:
        return shell("cat task.md; ls") if not request.results else request.results[0]

    with FakeModelServer(model) as server, ThreadPoolExecutor(8) as pool:
        agent = connect(server)
        assert agent.program.version
        results = list(pool.map(lambda n: agent.run(job(f"job{n}", prompt=f"task-{n}", timeout_s=90.0)), range(8)))
    assert [f"task-{n}" in result.answer for n, result in enumerate(results)] == [True] * 8
    assert [result.trace[0]["exit_code"] for result in results] == [0] * 8


def test_azure_is_asked_in_its_own_way(connect: Connect, job: Job) -> None:
    with FakeModelServer(lambda _: "ok", key=KEY) as server:
        result = connect(server, base_url=server.url, api_version="2025-04-01-preview").run(job())
        call = server.requests[0]
    assert result.answer == "ok"
    assert call.path == "/openai/responses?api-version=2025-04-01-preview"
    assert call.headers["api-key"] == KEY and "authorization" not in call.headers


def test_a_command_can_bring_the_token(connect: Connect, job: Job) -> None:
    with FakeModelServer(lambda _: "ok", key="token-of-a-command") as server:
        agent = connect(server, api_key=None, auth_command=("echo", "token-of-a-command"))
        assert agent.run(job()).answer == "ok"

"""No secret is anywhere it should not be: one whole run for each kind of backend, one that works and one that fails."""

from __future__ import annotations

import json
import os
import re
import shutil
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from reflact import Plugins, ReflactError, RunError
from reflact.config import resolve
from reflact.engine.resume import reload, require_secrets
from reflact.engine.train import train
from reflact.testing import FakeModelServer, FakeReply, FakeRequest
from reflact.testing.agent_link import command_lines
from reflact.types import ToolCall

RULE = "Write every colour in capitals."
COLOURS = ("red", "green", "blue", "amber", "violet", "ochre")
MARK = "mArKeR"
VARIABLES = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "AZURE_OPENAI_API_KEY", "CODEX_API_KEY")
VARIABLES += ("AZURE_CLIENT_SECRET", "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "HANDED_TOKEN", "STUDENT_KEY")
VARIABLES += ("STUDENT_AZURE_OPENAI_API_KEY", "AZURE_OPENAI_TEACHER_API_KEY")


def mark(name: str) -> str:
    return f"sk-{MARK}-{name}-0123456789"


def address(url: str, name: str) -> str:
    """Return *url* with a secret in its query."""
    return f"{url}/v1?token={mark(name)}"


def headers(name: str) -> dict[str, str]:
    return {"x-gateway": mark(f"{name}-header")}


def openai(url: str) -> dict[str, Any]:
    own = {"base_url": address(url, "query"), "api_key": mark("config"), "headers": headers("student")}
    return {"backend": "openai_chat", **own, "azure_openai_api_key": mark("azure")}


def claude(url: str) -> dict[str, Any]:
    own = {"base_url": address(url, "query"), "api_key": mark("config"), "headers": headers("student")}
    return {"backend": "claude_chat", **own}


def codex_exec(url: str) -> dict[str, Any]:
    program = os.environ.get("REFLACT_TEST_CODEX") or shutil.which("codex")
    if program is None:
        pytest.skip("no Codex here: put it on the PATH, or name it in REFLACT_TEST_CODEX")
    own = {"base_url": f"{url}/v1", "api_key_env": "STUDENT_KEY", "headers": headers("student"), "request_retries": 0}
    return {"backend": "codex_exec", "path": program, "pass_env": ["HANDED_TOKEN"], **own}


def claude_code_exec(url: str) -> dict[str, Any]:
    program = os.environ.get("REFLACT_TEST_CLAUDE") or shutil.which("claude")
    if program is None:
        pytest.skip("no Claude Code here: put it on the PATH, or name it in REFLACT_TEST_CLAUDE")
    own = {"base_url": url, "api_key_env": "STUDENT_KEY", "max_retries": 0}
    return {"backend": "claude_code_exec", "path": program, **own}


STUDENTS = {
    "openai_chat": openai,
    "claude_chat": claude,
    "codex_exec": codex_exec,
    "claude_code_exec": claude_code_exec,
}
KINDS = [pytest.param(name, marks=[pytest.mark.slow] if "exec" in name else []) for name in STUDENTS]


@dataclass
class Scene:
    """A model that plays both roles, and looks at what other processes could see meanwhile."""

    lines: list[bytes] = field(default_factory=list)
    spied: list[str] = field(default_factory=list)

    def __call__(self, request: FakeRequest) -> FakeReply:
        self.lines += command_lines()
        return self._teacher(request) if request.model == "teacher" else self._student(request)

    def _teacher(self, request: FakeRequest) -> FakeReply:
        edit = {"op": "append", "target": "", "content": f"- {RULE}"}
        said: Mapping[str, Any] = {"patch": {"reasoning": "form", "edits": [edit]}}
        if "sources" in json.dumps(request.body.get("response_format", {})):
            said = {"reasoning": "one rule", "edits": [{**edit, "sources": [0]}]}
        return FakeReply(text=json.dumps(said))

    def _student(self, request: FakeRequest) -> FakeReply:
        told = json.dumps(request.body)
        shell = [name for name in ("exec_command", "Bash") if f'"{name}"' in told]
        if shell and not request.results:
            name = "cmd" if shell[0] == "exec_command" else "command"
            spy = json.dumps({name: "env | tee env.txt; cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n'"})
            return FakeReply(tool_calls=(ToolCall(id="call_1", name=shell[0], arguments=spy),))
        self.spied += request.results
        colour = re.findall(r"the (\w+) door", told)[0]
        return FakeReply(text=colour.upper() if RULE in told else colour)


def refused(request: FakeRequest) -> FakeReply:
    """Repeat all that came with the call, as a careless gateway does."""
    return FakeReply(status=401, message=f"not with {request.path} and {json.dumps(dict(request.headers))}")


def run(url: str, student: Mapping[str, Any], folder: Path) -> None:
    items = [
        {"question": f"House {n}: what colour has the {c} door?", "answer": c.upper()} for n, c in enumerate(COLOURS)
    ]
    data = folder / "doors.jsonl"
    data.write_text("".join(json.dumps(item) + "\n" for item in items))
    teacher = {"backend": "openai_chat", "model": "teacher", "base_url": f"{url}/v1", "headers": headers("teacher")}
    plugins = Plugins()
    resolved = resolve(
        {
            "model": {"teacher": teacher, "student": {**student, "model": "student"}},
            "train": {"num_epochs": 1, "batch_size": 2},
            "optimizer": {"use_slow_update": False, "use_meta_skill": False},
            "env": {"name": "qa", "data_path": str(data), "split_ratio": "1:1:1", "workers": 2},
        },
        plugins=plugins,
    )
    silent = plugins.observers(disabled=frozenset(plugins.names("observers")))
    train(resolved, plugins, folder / "out", observers=silent)


@pytest.fixture
def out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> Path:
    """The run's folder, in an environment full of secrets, with every log kept."""
    for name in VARIABLES:
        monkeypatch.setenv(name, mark(name))
    caplog.set_level("DEBUG")
    return tmp_path / "out"


def holding(folder: Path) -> list[str]:
    files = [one for one in folder.rglob("*") if one.is_file() and MARK.encode() in one.read_bytes()]
    return [str(one.relative_to(folder)) for one in files]


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_that_works_keeps_and_shows_no_secret(
    kind: str, out: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    scene = Scene()
    with FakeModelServer(scene) as server:
        run(server.url, STUDENTS[kind](server.url), tmp_path)
        arrived = {value for one in server.requests for value in (*one.headers.values(), one.path) if MARK in value}
    assert (out / "best_skill.md").read_text() == f"- {RULE}\n"
    assert len(arrived) >= 3, "the secrets were not even used"
    assert bool(scene.spied) == ("exec" in kind)
    assert not [text for text in scene.spied if MARK in text or "PATH=" not in text]
    assert scene.lines
    assert not [line for line in scene.lines if MARK.encode() in line]
    assert holding(out) == []
    assert MARK not in caplog.text


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_that_fails_keeps_and_shows_no_secret(
    kind: str, out: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with FakeModelServer(refused) as server, pytest.raises(ReflactError) as caught:
        run(server.url, STUDENTS[kind](server.url), tmp_path)
    told = "".join(traceback.format_exception(caught.value))
    assert kind in told
    assert MARK not in told.replace(f'MARK = "{MARK}"', "")
    assert holding(out) == []
    assert MARK not in caplog.text


@pytest.mark.parametrize("works", [True, False])
def test_a_key_of_one_role_in_the_environment_is_used_and_neither_kept_nor_shown(
    works: bool, out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    told = ""
    with FakeModelServer(Scene() if works else refused) as server:
        monkeypatch.setenv("AZURE_OPENAI_STUDENT_ENDPOINT", server.url)
        try:
            run(server.url, {"backend": "openai_chat"}, tmp_path)
        except ReflactError as error:
            told = "".join(traceback.format_exception(error))
        arrived = {one.headers.get("api-key") for one in server.requests if one.model == "student"}
    assert arrived == {mark("STUDENT_AZURE_OPENAI_API_KEY")}
    assert ("$STUDENT_AZURE_OPENAI_API_KEY" in told) == (not works)
    assert MARK not in told.replace(f'MARK = "{MARK}"', "")
    assert holding(out) == []
    assert MARK not in caplog.text


def test_a_run_whose_secrets_were_not_kept_goes_on_once_they_are_said_again(out: Path, tmp_path: Path) -> None:
    with FakeModelServer(Scene()) as server:
        run(server.url, openai(server.url), tmp_path)
        plugins = Plugins()
        with pytest.raises(RunError, match=r"model\.student\.base_url=… model\.student\.headers\.x-gateway=…"):
            require_secrets(reload(out, plugins))
        again = [f"model.student.base_url={address(server.url, 'query')}"]
        again += [f"model.{role}.headers.x-gateway={mark('again')}" for role in ("teacher", "student")]
        resolved = reload(out, plugins, overrides=again)
        require_secrets(resolved)
        asked = len(server.requests)
        train(resolved, plugins, out, observers=plugins.observers(disabled=frozenset(plugins.names("observers"))))
        assert len(server.requests) == asked
    assert holding(out) == []

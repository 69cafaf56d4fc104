"""A Claude Code that is told what to say, and the real one where it is installed."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest
from reflact import ExecJob, Skill
from reflact_backend_claude_code import ClaudeCodeConfig
from reflact_backend_claude_code.agent import ClaudeCodeAgent

FAKE = """\
#!{python} -IS
import json, os, sys, time
if "--version" in sys.argv:
    print("9.8.7 (Claude Code)")
    sys.exit()
def say(**event):
    print(json.dumps(event), flush=True)
def start(skills=("reflact-student",)):
    say(type="system", subtype="init", session_id="s-1", skills=list(skills))
def reply(text, model="m"):
    content = [{{"type": "text", "text": text}}]
    usage = {{"input_tokens": 5, "output_tokens": 2}}
    say(type="assistant", message={{"id": text, "model": model, "content": content, "usage": usage}}, uuid="u-" + text)
def end(result, code=0, **more):
    usage = {{"input_tokens": 5, "output_tokens": 2}}
    said = {{"subtype": "success", "is_error": False, "result": result, "session_id": "s-1", "usage": usage, **more}}
    say(type="result", **said)
    sys.exit(code)
{body}
"""

Fake = Callable[[str], Path]
Agent = Callable[..., ClaudeCodeAgent]
Job = Callable[..., ExecJob]


@pytest.fixture
def fake(tmp_path: Path) -> Fake:
    """Return what makes a program of Python lines; its lines may use `say`, `start`, `reply` and `end`."""

    def make(body: str) -> Path:
        program = tmp_path / "bin" / "claude"
        program.parent.mkdir(exist_ok=True)
        program.write_text(FAKE.format(python=sys.executable, body=dedent(body)))
        program.chmod(0o755)
        return program

    return make


@pytest.fixture
def agent(fake: Fake) -> Agent:
    """Return what builds an agent whose Claude Code runs the given lines."""

    def make(body: str, **settings: object) -> ClaudeCodeAgent:
        given = {"path": str(fake(body)), "base_url": "http://127.0.0.1:9", "model": "m", **settings}
        return ClaudeCodeAgent(ClaudeCodeConfig.model_validate(given))

    return make


@pytest.fixture
def job(tmp_path: Path) -> Job:
    """Return what makes a job, in a folder of its own each time."""
    made: list[ExecJob] = []

    def make(prompt: str = "Do it.", *, skill: str = "# Rules\n", timeout_s: float = 60, **more: object) -> ExecJob:
        workdir = tmp_path / f"job{len(made)}"
        made.append(ExecJob(workdir=workdir, prompt=prompt, skill=Skill(skill), timeout_s=timeout_s, **more))  # type: ignore[arg-type]
        return made[-1]

    return make


@pytest.fixture(scope="session")
def claude() -> str:
    """Return the path of the real Claude Code: $REFLACT_TEST_CLAUDE, the one in PATH, or the one of its Python SDK."""
    named = os.environ.get("REFLACT_TEST_CLAUDE") or shutil.which("claude")
    spec = importlib.util.find_spec("claude_agent_sdk")
    bundled = Path(spec.origin).parent / "_bundled" / "claude" if spec and spec.origin else None
    if named is None and bundled is not None and bundled.is_file():
        named = str(bundled)
    if named is None:
        pytest.skip("Claude Code is not here: not in PATH, no claude-agent-sdk, and REFLACT_TEST_CLAUDE is not set")
    return named

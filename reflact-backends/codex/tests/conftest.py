"""Stand-ins for Codex: small programs that do what a Codex in trouble does. The real one is in `test_real_*.py`."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from reflact import BackendError, ExecJob, Skill
from reflact_backend_codex import CodexAgent, CodexConfig
from reflact_backend_codex.client import Client

KEY = "marker-key-0123456789"
STUB = """#!{python}
import json, os, pathlib, subprocess, sys, time

def say(**event):
    print(json.dumps(event), flush=True)

def item(**fields):
    say(type="item.completed", item=fields)

def answer(text):
    item(type="agent_message", text=text)
    say(type="turn.completed", usage={{"input_tokens": 10, "cached_input_tokens": 4, "output_tokens": 3}})

argv = sys.argv[1:]
if argv == ["--version"]:
    print("codex-cli 0.171.0")
elif argv == ["exec", "--help"]:
    print({help!r})
elif argv == ["features", "list"]:
    print("plugins  stable  true\\nshell_tool  stable  true")
elif argv[0] == "sandbox":
    sys.exit({sandbox})
else:
    prompt = sys.stdin.buffer.read().decode()
    say(type="thread.started", thread_id="thread-1")
{body}
"""
HELP = (
    "resume -i -m -s --sandbox -C --cd --skip-git-repo-check --ignore-rules --ephemeral --output-schema --color --json"
)

Stub = Callable[..., CodexAgent]


@pytest.fixture
def stub(tmp_path: Path) -> Stub:
    """Return what makes an agent whose Codex does *body* with its `prompt`."""

    def agent(
        body: str, *, told: str = HELP, sandbox_exit: int = 0, environ: dict[str, str] | None = None, **settings: Any
    ) -> CodexAgent:
        file = tmp_path / "bin" / "codex"
        file.parent.mkdir(exist_ok=True)
        inner = textwrap.indent(textwrap.dedent(body), "    ")
        file.write_text(STUB.format(python=sys.executable, help=told, sandbox=sandbox_exit, body=inner))
        file.chmod(0o755)
        given = {"PATH": f"{file.parent}:/usr/bin:/bin", "HOME": str(tmp_path / "me"), **(environ or {})}
        if not environ:
            settings = {"api_key": KEY, **settings}
        return CodexAgent(CodexConfig(**settings), Client(given))

    return agent


@pytest.fixture
def real_codex() -> str:
    """Return the path of a real Codex: `$REFLACT_TEST_CODEX`, one on the PATH, or the one of a wheel."""
    client = Client()
    named = client.environ.get("REFLACT_TEST_CODEX")
    try:
        return str(client.program(CodexConfig(path=named or "codex")))
    except BackendError:
        pytest.skip("no Codex here: put it on the PATH, or name it in REFLACT_TEST_CODEX")


@pytest.fixture
def job(tmp_path: Path) -> Callable[..., ExecJob]:
    """Return what makes a job in a folder of its own."""

    def make(name: str = "job", **more: Any) -> ExecJob:
        settings = {"prompt": "Do it.", "skill": Skill("- One."), "timeout_s": 20.0, **more}
        return ExecJob(workdir=tmp_path / name, **settings)

    return make

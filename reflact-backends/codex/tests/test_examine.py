"""An examination tells what is wrong before anything is paid for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from reflact import ExaminesItself, Finding
from reflact_backend_codex import CodexAgent, CodexChat, CodexConfig
from reflact_backend_codex.client import Client
from reflact_backend_codex.native import native

Stub = Callable[..., CodexAgent]


def levels(findings: Iterable[Finding]) -> dict[str, str]:
    return {one.what: one.level for one in findings}


def told(findings: Iterable[Finding], what: str) -> str:
    return next(one.told for one in findings if one.what == what)


def test_all_is_well_where_all_is_there(stub: Stub) -> None:
    agent = stub("")
    assert isinstance(agent, ExaminesItself)
    assert levels(agent.examine()) == {"codex": "good", "codex sandbox": "good", "codex sign-in": "good"}


def test_a_missing_program_is_the_one_thing_told() -> None:
    findings = list(CodexAgent(CodexConfig(path="no-such-codex"), Client({"PATH": "/nowhere"})).examine())
    assert levels(findings) == {"codex": "error"}
    assert "no command 'no-such-codex'" in findings[0].told


def test_a_sandbox_that_does_not_work_is_an_error_that_says_what_to_do(stub: Stub) -> None:
    findings = list(stub("", sandbox_exit=1).examine())
    assert levels(findings)["codex sandbox"] == "error"
    assert "danger-full-access" in told(findings, "codex sandbox")


def test_a_missing_login_is_an_error(stub: Stub) -> None:
    assert levels(stub("", environ={"SOMETHING": "1"}).examine())["codex sign-in"] == "error"


def test_a_program_that_lacks_a_flag_is_an_error_that_names_it(stub: Stub) -> None:
    assert "--json" in told(stub("", told="-s --sandbox --cd resume").examine(), "codex flags")


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ({"full_auto": True}, "full_auto"),
        ({"use_sdk": "sdk"}, "use_sdk"),
        ({"sandbox": "danger-full-access"}, "codex sandbox"),
    ],
)
def test_a_setting_that_means_something_else_is_a_warning(stub: Stub, settings: dict[str, object], what: str) -> None:
    assert levels(stub("", **settings).examine())[what] == "warning"


def test_a_profile_that_is_not_there_is_an_error(stub: Stub) -> None:
    assert levels(stub("", profile="mine").examine())["profile"] == "error"


def test_a_teacher_needs_no_sandbox_but_the_program() -> None:
    findings = list(CodexChat(CodexConfig(path="no-such-codex"), Client({"PATH": "/nowhere"})).examine())
    assert levels(findings) == {"codex": "error"}


def npm(folder: Path, program: str) -> Path:
    """Make an installation as npm leaves it: a script, and the program of the platform elsewhere."""
    script = folder / "node_modules/@openai/codex/bin/codex.js"
    script.parent.mkdir(parents=True)
    script.write_text("#!/usr/bin/env node\n")
    (script.parent.parent / "package.json").write_text("{}")
    (folder / program).parent.mkdir(parents=True)
    (folder / program).write_bytes(b"\x7fELF")
    link = folder / "node_modules/.bin/codex"
    link.parent.mkdir()
    link.symlink_to(script)
    return link


@pytest.mark.parametrize(
    "program",
    [
        "node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex",
        "node_modules/@openai/codex/node_modules/@openai/codex-linux-arm64/vendor/aarch64/bin/codex",
        "node_modules/@openai/codex/vendor/x86_64-unknown-linux-musl/codex/codex",
    ],
)
def test_behind_the_script_of_npm_the_program_itself_is_found(tmp_path: Path, program: str) -> None:
    assert native(npm(tmp_path, program)) == tmp_path / program


def test_a_program_that_is_no_script_of_npm_is_taken_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "codex"
    file.write_text("#!/bin/sh\n")
    assert native(file) is None

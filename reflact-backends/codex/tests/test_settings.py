"""What Codex is told, on paper: TOML that cannot be broken out of, and every key of the configuration in its place."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from reflact import BackendError, BackendSpec, Plugins
from reflact.agents import MARKER, Program
from reflact.config import resolve
from reflact_backend_codex import CodexConfig
from reflact_backend_codex.client import Client
from reflact_backend_codex.command import arguments
from reflact_backend_codex.settings import settings
from reflact_backend_codex.toml import dump

PROGRAM = Program(path=Path("/codex"), version="1", help="plugins apps --color --skip-git-repo-check")


def told(environ: dict[str, str] | None = None, **more: Any) -> dict[str, Any]:
    config = CodexConfig(**more)
    access = Client(environ or {"OPENAI_API_KEY": "k" * 9, "HOME": "/nowhere"}).access(config)
    return tomllib.loads(settings(config, access, PROGRAM, marker="job-1"))


@given(st.text(), st.text())
def test_no_text_breaks_out_of_its_quotes(key: str, text: str) -> None:
    text, key = (one.encode("utf-8", "ignore").decode() for one in (text, key))
    assert (
        tomllib.loads(dump({"a": text, "t": {key: text, "b": {key: [text]}}}))
        == {
            "a": text,
            "t": {key: text, "b": {key: [text]}},
        }
        or key == "b"
    )


def test_a_student_works_in_a_closed_sandbox_asks_nobody_and_talks_to_nobody_else() -> None:
    found = told()
    assert (found["sandbox_mode"], found["approval_policy"], found["web_search"]) == (
        "workspace-write",
        "never",
        "disabled",
    )
    assert found["sandbox_workspace_write"] == {"network_access": False, "exclude_slash_tmp": True}
    assert found["shell_environment_policy"] == {
        "inherit": "core",
        "ignore_default_excludes": False,
        "set": {MARKER: "job-1"},
    }
    assert found["analytics"] == {"enabled": False} and found["check_for_update_on_startup"] is False
    assert found["features"] == {"plugins": False, "apps": False}
    assert found["model_providers"]["reflact"]["wire_api"] == "responses"
    assert "model_reasoning_effort" not in found


def test_every_key_has_its_place() -> None:
    found = told(network_access=True, web_search=True, effort="high", request_retries=5, base_url="http://h/v1")
    assert found["sandbox_workspace_write"]["network_access"] is True
    assert (found["web_search"], found["model_reasoning_effort"]) == ("live", "high")
    provider = found["model_providers"]["reflact"]
    assert (provider["base_url"], provider["request_max_retries"]) == ("http://h/v1", 5)


def test_the_key_itself_is_never_in_the_file() -> None:
    config = CodexConfig(api_key="secret-key-1234", headers={"x-team": "secret-team-1234"})
    access = Client({}).access(config)
    text = settings(config, access, PROGRAM, marker="job-1")
    assert "secret" not in text.replace("SECRET", "")
    assert set(access.variables.values()) == {"secret-key-1234", "secret-team-1234"}
    assert "secret" not in repr(access) + repr(config)


def test_the_prompt_comes_on_standard_input_and_no_list_of_images_swallows_it() -> None:
    config = CodexConfig(model="m")
    words = arguments(config, PROGRAM, workspace=Path("/w"), images=["attachments/01.png"], resume="id-1")
    assert words[-3:] == ("resume", "id-1", "-")
    assert words[words.index("-i") + 2].startswith("-")
    assert words.index("-s") < words.index("resume") and words.index("-C") < words.index("resume")


@pytest.mark.parametrize("name", ["-c", "--oss", "two words"])
def test_a_model_cannot_be_a_flag(name: str) -> None:
    with pytest.raises(ValidationError, match="model"):
        CodexConfig(model=name)


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ({"sandbox": "none"}, "sandbox"),
        ({"approval_policy": "untrusted"}, "approval_policy"),
        ({"timeot": 1}, "timeot"),
        ({"api_version": "2025-04-01-preview"}, "base_url"),
        ({"auth_command": ["az"], "api_key_env": "K"}, "exclude each other"),
    ],
)
def test_a_setting_that_cannot_be_meant_is_refused(given: dict[str, Any], key: str) -> None:
    with pytest.raises(ValidationError, match=key):
        CodexConfig(**given)


def test_a_configured_key_comes_before_a_login_and_a_login_before_a_key_that_lies_about(tmp_path: Path) -> None:
    (tmp_path / ".codex").mkdir()
    login = tmp_path / ".codex" / "auth.json"
    login.write_text('{"tokens": {"access_token": "token-0123456789abcdef"}}')
    environ = {"HOME": str(tmp_path), "OPENAI_API_KEY": "key-of-the-teacher", "MY_KEY": "key-of-mine"}
    client = Client(environ)
    assert client.access(CodexConfig(api_key_env="MY_KEY")).found == "$MY_KEY"
    access = client.access(CodexConfig())
    assert (access.login, access.url, access.key) == (login, "", "")
    assert "token-0123456789abcdef" in access.secrets()
    login.unlink()
    assert client.access(CodexConfig()).found == "$OPENAI_API_KEY"


def test_a_server_on_this_machine_needs_no_key_and_is_not_sent_one_that_lies_about() -> None:
    client = Client({"OPENAI_API_KEY": "key-of-the-teacher"})
    assert client.access(CodexConfig(base_url="http://127.0.0.1:1/v1")).key == ""
    assert client.access(CodexConfig(base_url="https://models.example/v1")).key == "key-of-the-teacher"


def test_a_key_that_is_named_and_not_there_is_told_by_its_name() -> None:
    with pytest.raises(BackendError, match="MY_KEY is not set") as caught:
        Client({}).access(CodexConfig(api_key_env="MY_KEY"))
    assert caught.value.fatal


def resolved(**model: Any) -> CodexConfig:
    plugins = Plugins()
    given = {"model": {"student_backend": "codex_exec", **model}, "env": {"name": "qa", "data_path": "x"}}
    found = resolve(given, plugins=plugins).roles["student"].settings
    assert isinstance(found, CodexConfig)
    return found


def test_the_shared_keys_of_a_configuration_reach_the_student() -> None:
    found = resolved(
        student="gpt-6-sol",
        codex_exec_path="/bin/codex",
        codex_exec_sandbox="read-only",
        codex_exec_profile="mine",
        codex_exec_full_auto=True,
        codex_exec_reasoning_effort="high",
        codex_exec_use_sdk="cli",
        codex_exec_network_access=True,
        codex_exec_web_search=True,
        codex_exec_approval_policy="on-request",
    )
    assert found == CodexConfig(
        model="gpt-6-sol",
        path="/bin/codex",
        sandbox="read-only",
        profile="mine",
        full_auto=True,
        effort="high",
        use_sdk="cli",
        network_access=True,
        web_search=True,
        approval_policy="on-request",
    )
    assert found.mode == "workspace-write"


def test_the_backend_is_registered_as_an_agent_that_also_chats() -> None:
    spec: BackendSpec = Plugins().get("backends", "codex_exec")
    assert (spec.kind, spec.name, spec.chat is not None, spec.concurrency) == ("exec", "codex_exec", True, 8)

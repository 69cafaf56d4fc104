"""Where the command is looked for, and what it is let in with."""

from __future__ import annotations

import json
import time
from importlib.util import find_spec
from pathlib import Path

import pytest
from pydantic import ValidationError
from reflact import BackendError, ConfigError, Plugins
from reflact.contracts import Access
from reflact_backend_claude_code import ClaudeCodeConfig
from reflact_backend_claude_code.client import access, command, profile

CONFIG = ClaudeCodeConfig()


def program(folder: Path) -> Path:
    file = folder / "claude"
    file.write_text("#!/bin/sh\n")
    file.chmod(0o755)
    return file


def login(home: Path, *, expires_in_s: float) -> dict[str, str]:
    (home / ".claude").mkdir(parents=True)
    told = {"accessToken": "sk-ant-oat01-mine", "refreshToken": "r", "expiresAt": 1000 * (time.time() + expires_in_s)}
    (home / ".claude" / ".credentials.json").write_text(json.dumps({"claudeAiOauth": told}))
    return {"HOME": str(home)}


def test_the_command_is_found_in_path_or_at_a_path(tmp_path: Path) -> None:
    file = program(tmp_path)
    assert command(CONFIG, environ={"PATH": str(tmp_path)}) == file
    assert command(ClaudeCodeConfig(path=str(file)), environ={}) == file


@pytest.mark.parametrize(("use", "told"), [("cli", "not in PATH"), ("sdk", "claude-agent-sdk")])
def test_a_command_that_is_not_there_is_told_with_what_to_do(use: str, told: str) -> None:
    if use == "sdk" and find_spec("claude_agent_sdk"):
        pytest.skip("claude-agent-sdk is installed")
    config = ClaudeCodeConfig.model_validate({"path": "no-such-claude", "use_sdk": use})
    with pytest.raises(ConfigError, match=told):
        command(config, environ={"PATH": "/nowhere"})


def test_a_key_of_the_configuration_comes_before_the_environment() -> None:
    environ = {"ANTHROPIC_API_KEY": "from-the-environment"}
    assert access(CONFIG, environ=environ).secret == "from-the-environment"
    assert access(ClaudeCodeConfig.model_validate({"api_key": "mine"}), environ=environ).secret == "mine"
    assert access(ClaudeCodeConfig(api_key_env="OTHER"), environ={**environ, "OTHER": "other"}).secret == "other"


def test_a_secret_is_not_shown() -> None:
    assert "hidden" not in repr(access(CONFIG, environ={"ANTHROPIC_API_KEY": "hidden"}))


def test_a_gateway_token_and_an_oauth_token_are_taken() -> None:
    assert access(CONFIG, environ={"ANTHROPIC_AUTH_TOKEN": "t"}).means == "token"
    assert access(CONFIG, environ={"CLAUDE_CODE_OAUTH_TOKEN": "t"}).means == "login"


def test_the_login_of_claude_is_used_where_there_is_no_key(tmp_path: Path) -> None:
    environ = login(tmp_path, expires_in_s=3600)
    found = access(CONFIG, environ=environ)
    assert (found.means, found.secret) == ("login", "sk-ant-oat01-mine")
    elsewhere = {"CLAUDE_CONFIG_DIR": str(tmp_path / ".claude"), "HOME": "/nowhere"}
    assert access(CONFIG, environ=elsewhere).means == "login"


def test_what_lets_calls_in_is_told_without_a_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = Plugins().get("backends", "claude_code_exec").access
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", login(tmp_path, expires_in_s=3600)["HOME"])
    anthropic = "https://api.anthropic.com"
    monkeypatch.setenv("CLAUDE_CODE_OAUTH_TOKEN", "t")
    assert told(CONFIG) == Access(endpoint=anthropic, key="$CLAUDE_CODE_OAUTH_TOKEN")
    monkeypatch.delenv("CLAUDE_CODE_OAUTH_TOKEN")
    assert told(CONFIG) == Access(endpoint=anthropic, key=str(tmp_path / ".claude" / ".credentials.json"))
    own = ClaudeCodeConfig.model_validate({"api_key": "mine", "base_url": "http://me:pw@127.0.0.1:9/v1"})
    assert told(own) == Access(endpoint="http://127.0.0.1:9", key="api_key")


def test_a_login_that_has_run_out_is_fatal_and_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(BackendError, match="Run `claude` once") as caught:
        access(CONFIG, environ=login(tmp_path, expires_in_s=-1))
    assert caught.value.fatal


def test_a_login_is_not_sent_to_another_server(tmp_path: Path) -> None:
    config = ClaudeCodeConfig(base_url="https://gateway.example")
    with pytest.raises(ConfigError, match=r"gateway\.example"):
        access(config, environ=login(tmp_path, expires_in_s=3600))


def test_a_server_on_this_machine_needs_no_key() -> None:
    found = access(ClaudeCodeConfig(base_url="http://localhost:8000/v1"), environ={})
    assert (found.means, found.base_url) == ("none", "http://localhost:8000")


def test_a_provider_is_let_in_only_when_its_variable_is_handed_on() -> None:
    environ = {"CLAUDE_CODE_USE_BEDROCK": "1"}
    assert access(ClaudeCodeConfig(environment=("CLAUDE_CODE_USE_BEDROCK",)), environ=environ).means == "provider"
    with pytest.raises(ConfigError, match="ANTHROPIC_API_KEY is not set"):
        access(CONFIG, environ={**environ, "HOME": "/nowhere"})


def test_a_profile_is_a_json_object_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_text("{}")
    assert profile(ClaudeCodeConfig(profile=str(file))) == file
    file.write_text("[]")
    for wrong in (file, tmp_path / "missing.json"):
        with pytest.raises(ConfigError, match=wrong.name):
            profile(ClaudeCodeConfig(profile=str(wrong)))


@pytest.mark.parametrize("model", ["", "-p", "a b"])
def test_a_model_name_cannot_be_taken_for_a_flag(model: str) -> None:
    with pytest.raises(ValidationError):
        ClaudeCodeConfig(model=model)

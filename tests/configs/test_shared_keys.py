"""Every key of section `model` that backends share reaches the setting it stands for, in the backends there are."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import SecretStr
from reflact.config import load
from reflact.config.model import Model
from reflact.plugins import Plugins
from workspace import ROOT

QWEN_URL = "http://localhost:8000/v1"
TEXT = "a-value"
URL = "https://example.com/v1"
AZURE = {
    "endpoint": URL,
    "api_version": "2025-04-01-preview",
    "api_key": TEXT,
    "auth_mode": "azure_cli",
    "ad_scope": TEXT,
    "managed_identity_client_id": TEXT,
}
QWEN: dict[str, tuple[str, str, Any]] = {
    "base_url": ("base_url", URL, URL),
    "api_key": ("api_key", TEXT, TEXT),
    "temperature": ("temperature", "0.5", 0.5),
    "timeout_seconds": ("timeout_s", "7", 7.0),
    "max_tokens": ("max_tokens", "77", 77),
    "enable_thinking": ("thinking", "false", "off"),
}
CODEX: dict[str, tuple[str, str, Any]] = {
    "path": ("path", "/bin/codex", "/bin/codex"),
    "sandbox": ("sandbox", "read-only", "read-only"),
    "profile": ("profile", "mine", "mine"),
    "full_auto": ("full_auto", "true", True),
    "reasoning_effort": ("effort", "low", "low"),
    "use_sdk": ("use_sdk", "cli", "cli"),
    "network_access": ("network_access", "true", True),
    "web_search": ("web_search", "true", True),
    "approval_policy": ("approval_policy", "on-request", "on-request"),
}
CLAUDE: dict[str, tuple[str, str, Any]] = {
    "path": ("path", "/bin/claude", "/bin/claude"),
    "profile": ("profile", "mine.json", "mine.json"),
    "use_sdk": ("use_sdk", "cli", "cli"),
    "effort": ("effort", "low", "low"),
    "max_thinking_tokens": ("max_thinking_tokens", "99", 99),
}
ROWS: list[tuple[str, str, str, str, Any]] = [
    *((f"azure_openai_{key}", "openai_chat", f"azure_openai_{key}", value, value) for key, value in AZURE.items()),
    *((f"qwen_chat_{key}", "qwen_chat", *row) for key, row in QWEN.items()),
    *((f"codex_exec_{key}", "codex_exec", *row) for key, row in CODEX.items()),
    *((f"claude_code_exec_{key}", "claude_code_exec", *row) for key, row in CLAUDE.items()),
    ("reasoning_effort", "openai_chat", "effort", "high", "high"),
    ("reasoning_effort", "claude_chat", "effort", "high", "high"),
]
"""(shared key, backend, setting, value as written, value in force)."""
OLD = {
    "model.azure_endpoint": "azure_openai_endpoint",
    "model.azure_api_version": "azure_openai_api_version",
    "model.azure_api_key": "azure_openai_api_key",
    "model.codex_path": "codex_exec_path",
    "model.codex_cli_bin": "codex_exec_path",
    "model.codex_bin": "codex_exec_path",
    "model.sandbox": "codex_exec_sandbox",
    "model.codex_sandbox": "codex_exec_sandbox",
}
"""Old key -> shared key."""


def setting(key: str, backend: str, name: str, value: str, *, flag: bool) -> tuple[Any, str, tuple[str, ...]]:
    """Return the student's setting *name*, where it comes from, and the warnings, with *key* given as *value*."""
    plugins = Plugins()
    if (backend if backend != "qwen_chat" else "openai_chat") not in plugins.names("backends"):
        pytest.skip(f"{backend} is not installed")
    common = ["env.name=qa", "env.data_path=items.jsonl", f"model.student_backend={backend}"]
    overrides = [*common, *([] if flag else [f"{key}={value}"])]
    flags = {key.removeprefix("model."): value} if flag else {}
    found = load(None, overrides=overrides, flags=flags, plugins=plugins)
    given = getattr(found.roles["student"].settings, name)
    plain = given.get_secret_value() if isinstance(given, SecretStr) else given
    return plain, found.origins[f"model.student.{name}"], found.warnings


@pytest.mark.parametrize("flag", [False, True], ids=["key", "flag"])
@pytest.mark.parametrize(("key", "backend", "name", "value", "meant"), ROWS, ids=[f"{row[0]}-{row[1]}" for row in ROWS])
def test_a_shared_key_reaches_its_setting_and_the_origin_is_told(
    key: str, backend: str, name: str, value: str, meant: Any, flag: bool
) -> None:
    found, origin, warnings = setting(f"model.{key}", backend, name, value, flag=flag)
    assert (found, origin) == (meant, "command line")
    assert not [warning for warning in warnings if "has no effect" in warning]


@pytest.mark.parametrize("flag", [False, True], ids=["key", "flag"])
@pytest.mark.parametrize("vocabulary", ["student", "target"])
@pytest.mark.parametrize(
    ("key", "backend", "name", "value", "meant"),
    [row for row in ROWS if row[0].startswith(("azure_openai_", "qwen_chat_"))],
    ids=[row[0] for row in ROWS if row[0].startswith(("azure_openai_", "qwen_chat_"))],
)
def test_a_role_may_have_it_apart_in_either_vocabulary(
    key: str, backend: str, name: str, value: str, meant: Any, vocabulary: str, flag: bool
) -> None:
    found, origin, _ = setting(f"model.{vocabulary}_{key}", backend, name, value, flag=flag)
    assert (found, origin) == (meant, "command line")


@pytest.mark.parametrize(("old", "today"), OLD.items())
def test_an_old_key_reaches_the_same_setting_and_is_warned_about(old: str, today: str) -> None:
    backend, name, value, meant = next(row[1:] for row in ROWS if row[0] == today)
    found, origin, warnings = setting(old, backend, name, value, flag=False)
    assert (found, origin) == (meant, "command line")
    assert warnings == (f"command line: {old} is an old name; write model.{today}",)


def test_no_shared_key_is_left_out_of_the_table() -> None:
    begins = ("azure_openai_", "qwen_chat_", "codex_exec_", "claude_code_exec_")
    assert {key for key in Model.model_fields if key.startswith(begins)} == {
        row[0] for row in ROWS if row[0].startswith(begins)
    }


def test_without_a_word_codex_and_claude_code_get_what_the_base_file_says() -> None:
    for backend, name, meant in (
        ("codex_exec", "effort", "none"),
        ("codex_exec", "sandbox", "workspace-write"),
        ("claude_code_exec", "effort", "medium"),
        ("claude_code_exec", "max_thinking_tokens", 16384),
    ):
        plugins = Plugins()
        if backend in plugins.names("backends"):
            words = ["env.name=qa", "env.data_path=items.jsonl", f"model.student_backend={backend}"]
            assert getattr(load(None, overrides=words, plugins=plugins).roles["student"].settings, name) == meant


@pytest.mark.parametrize(
    ("label", "teacher", "student"),
    [
        ("azure_openai", "openai_chat", "openai_chat"),
        ("openai_chat", "openai_chat", "openai_chat"),
        ("openai", "openai_chat", "openai_chat"),
        ("claude", "claude_chat", "claude_chat"),
        ("claude_chat", "claude_chat", "claude_chat"),
        ("codex", "openai_chat", "codex_exec"),
        ("codex_exec", "openai_chat", "codex_exec"),
        ("claude_code", "openai_chat", "claude_code_exec"),
        ("claude_code_exec", "openai_chat", "claude_code_exec"),
        ("qwen", "openai_chat", "openai_chat"),
        ("qwen_chat", "openai_chat", "openai_chat"),
    ],
)
@pytest.mark.parametrize("way", ["flag", "key"])
def test_the_old_name_of_both_backends_beats_the_shipped_base_file(
    label: str, teacher: str, student: str, way: str
) -> None:
    plugins = Plugins()
    if not {teacher, student} <= set(plugins.names("backends")):
        pytest.skip(f"{teacher} and {student} are not both installed")
    overrides = ["env.name=qa", "env.data_path=items.jsonl", *([f"model.backend={label}"] if way == "key" else [])]
    flags = {"backend": label} if way == "flag" else {}
    found = load(ROOT / "configs/_base_/default.yaml", overrides=overrides, flags=flags, plugins=plugins)
    assert (found.roles["teacher"].backend, found.roles["student"].backend) == (teacher, student)
    assert getattr(found.roles["student"].settings, "model", "") != "gpt-5.4" or student == "openai_chat"
    assert (getattr(found.roles["student"].settings, "base_url", "") == QWEN_URL) == label.startswith("qwen")

"""The words on the command line, and the keys they come from."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from reflact import Plugins
from reflact.config import resolve
from reflact_backend_claude_code import ClaudeCodeConfig
from reflact_backend_claude_code.arguments import Start, chat, student, unknown_flag

NEW = Start(session_id="5e55")


def value(words: tuple[str, ...], flag: str) -> str:
    return words[words.index(flag) + 1]


def test_a_student_has_its_tools_and_no_others_and_nobody_is_asked() -> None:
    words = student(ClaudeCodeConfig(), NEW, profile=None, images=False)
    assert value(words, "--permission-mode") == "dontAsk"
    assert value(words, "--tools") == value(words, "--allowedTools") == "Bash,Read,Write,Edit,Skill"
    assert value(words, "--setting-sources") == "user"
    assert value(words, "--session-id") == "5e55"
    assert "--strict-mcp-config" in words and "--resume" not in words


def test_a_session_goes_on_after_an_event_as_a_copy() -> None:
    words = student(ClaudeCodeConfig(), Start(session_id="5e55", after="u7"), profile=None, images=False)
    assert words[-5:] == ("--resume", "5e55", "--fork-session", "--resume-session-at", "u7")
    assert "--session-id" not in words


@pytest.mark.parametrize(("effort", "sent"), [("high", True), ("", False), ("none", False), ("minimal", False)])
def test_an_effort_that_claude_code_does_not_know_is_left_out(effort: str, sent: bool) -> None:
    config = ClaudeCodeConfig.model_validate({"effort": effort})
    assert ("--effort" in student(config, NEW, profile=None, images=False)) is sent


def test_what_a_version_lacks_is_left_out() -> None:
    config = ClaudeCodeConfig(effort="high", max_thinking_tokens=0)
    words = student(config, NEW, profile=None, images=False, lacking=frozenset({"--effort"}))
    assert "--effort" not in words
    assert value(words, "--max-thinking-tokens") == "0"


def test_a_teacher_has_no_tools_no_settings_and_no_session() -> None:
    schema = {"type": "object"}
    words = chat(ClaudeCodeConfig(), system=Path("s"), schema=schema, effort="low", bare=True, profile=Path("p.json"))
    assert (value(words, "--tools"), value(words, "--setting-sources")) == ("", "")
    assert {"--no-session-persistence", "--disable-slash-commands", "--bare"} <= set(words)
    assert value(words, "--json-schema") == '{"type": "object"}'
    assert value(words, "--settings") == "p.json"


@pytest.mark.parametrize(
    ("stderr", "flag"),
    [("error: unknown option '--effort'\n", "--effort"), ("Error: Input must be provided", ""), ("", "")],
)
def test_the_flag_that_is_complained_of_is_found(stderr: str, flag: str) -> None:
    assert unknown_flag(stderr) == flag


def student_of(**model: Any) -> ClaudeCodeConfig:
    given = {"model": {"student_backend": "claude_code_exec", "teacher_backend": "claude_code_exec", **model}}
    resolved = resolve({**given, "env": {"name": "qa", "data_path": "none.jsonl"}}, plugins=Plugins())
    settings = resolved.roles["student"].settings
    assert isinstance(settings, ClaudeCodeConfig)
    return settings


def test_the_shared_keys_fill_the_settings_of_the_role() -> None:
    keys = {
        "path": "/usr/local/bin/claude",
        "profile": "mine.json",
        "use_sdk": "cli",
        "effort": "high",
        "max_thinking_tokens": 99,
    }
    settings = student_of(**{f"claude_code_exec_{key}": value for key, value in keys.items()})
    assert settings.model_dump(include=set(keys)) == keys


def test_without_them_the_promised_defaults_hold() -> None:
    settings = student_of(student="claude-haiku-4-5")
    assert (settings.model, settings.effort, settings.max_thinking_tokens) == ("claude-haiku-4-5", "medium", 16384)


def test_as_many_run_at_once_as_there_are_cores() -> None:
    spec = Plugins().get("backends", "claude_code_exec")
    assert (spec.kind, spec.concurrency, spec.chat is not None) == ("exec", os.cpu_count(), True)

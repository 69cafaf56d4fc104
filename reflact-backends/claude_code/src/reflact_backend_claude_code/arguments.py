"""The words on Claude Code's command line, and what to do when a version does not know one of them. Pure functions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reflact_backend_claude_code.config import ClaudeCodeConfig

OPTIONAL = frozenset({"--max-turns", "--effort", "--max-thinking-tokens", "--bare", "--json-schema"})
"""Flags a job can do without, in versions that do not know them."""
EFFORTS = frozenset({"low", "medium", "high", "xhigh", "max"})

_UNKNOWN = re.compile(r"unknown option '(-[\w-]+)")
_REFUSED = re.compile(r"^error: (?:unknown|option|required|missing|too many) .*", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """A session that begins, or goes on after one of its events as a copy."""

    session_id: str
    after: str = ""
    """The id of the event to go on after; empty begins a new session under `session_id`."""


def student(
    config: ClaudeCodeConfig, start: Start, *, profile: Path | None, images: bool, lacking: frozenset[str] = frozenset()
) -> tuple[str, ...]:
    """Return the arguments of a student's job. Tools beyond `tools` do not exist, and nobody is asked for permission.

    `--setting-sources user` leaves the workspace without a say: settings in it could run commands.
    """
    tools = ",".join(config.tools)
    words = [
        *_common(config, config.effort, profile, lacking),
        *("--permission-mode", "dontAsk", "--tools", tools, "--allowedTools", tools, "--setting-sources", "user"),
        *_optional("--max-turns", str(config.max_turns), lacking),
        *(("--input-format", "stream-json") if images else ()),
    ]
    if start.after:
        return (*words, "--resume", start.session_id, "--fork-session", "--resume-session-at", start.after)
    return (*words, "--session-id", start.session_id)


def chat(
    config: ClaudeCodeConfig,
    *,
    system: Path,
    schema: Mapping[str, Any] | None,
    effort: str,
    bare: bool,
    profile: Path | None,
    lacking: frozenset[str] = frozenset(),
) -> tuple[str, ...]:
    """Return the arguments of a call that only answers: no tools, no settings, no session, the system text as given."""
    return (
        *_common(config, effort, profile, lacking),
        *("--tools", "", "--system-prompt-file", str(system), "--input-format", "stream-json"),
        *("--no-session-persistence", "--disable-slash-commands", "--setting-sources", ""),
        *(("--bare",) if bare and "--bare" not in lacking else ()),
        *(_optional("--json-schema", json.dumps(dict(schema)), lacking) if schema is not None else ()),
    )


def unknown_flag(stderr: str) -> str:
    """Return the flag that a command complains of in *stderr*; empty when it is another complaint, or none."""
    found = _UNKNOWN.search(stderr)
    return found[1] if found else ""


def refusal(stderr: str) -> str:
    """Return what a command that would not start says about its arguments; empty when it says nothing of the kind."""
    found = _REFUSED.search(stderr)
    return found[0] if found else ""


def _common(config: ClaudeCodeConfig, effort: str, profile: Path | None, lacking: frozenset[str]) -> Iterator[str]:
    yield from ("-p", "--output-format", "stream-json", "--verbose", "--model", config.model, "--strict-mcp-config")
    if effort in EFFORTS:
        yield from _optional("--effort", effort, lacking)
    if config.max_thinking_tokens is not None:
        yield from _optional("--max-thinking-tokens", str(config.max_thinking_tokens), lacking)
    if profile is not None:
        yield from ("--settings", str(profile))


def _optional(flag: str, value: str, lacking: frozenset[str]) -> tuple[str, ...]:
    return () if flag in lacking else (flag, value)

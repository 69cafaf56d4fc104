"""The settings of `claude_code_exec`."""

from typing import Literal

from pydantic import Field, SecretStr
from reflact.config.schema import Config


class ClaudeCodeConfig(Config):
    """One model behind Claude Code."""

    model: str = Field(default="claude-sonnet-4-6", min_length=1, pattern=r"^[^-\s]\S*$")
    """The model's name at the server, or an alias Claude Code knows, such as `sonnet`."""
    path: str = Field(default="claude", min_length=1)
    """The Claude Code command: a name looked for in PATH, or a path."""
    use_sdk: Literal["auto", "sdk", "cli"] = "auto"
    """Which command is run: `cli` the one of `path`, `sdk` the one inside the Python package claude-agent-sdk, `auto`
    the first of the two that is there. Either way the command runs on its own, with an environment of its own."""
    profile: str = ""
    """A settings file (JSON) of Claude Code to add to those of the backend; empty adds none."""
    effort: Literal["", "none", "minimal", "low", "medium", "high", "xhigh", "max"] = ""
    """Effort; empty, `none` and `minimal`, which Claude Code does not know, leave it to Claude Code."""
    max_thinking_tokens: int | None = Field(default=None, ge=0)
    """Most thinking tokens of a model that is given a number; 0 turns thinking off. Empty leaves it to Claude Code."""
    max_turns: int = Field(default=30, gt=0)
    """Most model calls of one task; a task that needs more ends as `truncated`."""
    max_tokens: int = Field(default=16384, gt=0)
    """The most tokens of one model call's reply, thinking included. A request may ask for fewer, not for more."""
    tools: tuple[str, ...] = ("Bash", "Read", "Write", "Edit", "Skill")
    """The tools a student has. Everything else is refused to it."""
    base_url: str = Field(default="", pattern=r"^(https?://\S+)?$")
    """Where the Messages API is, with or without `/v1`. Empty: ANTHROPIC_BASE_URL, or Anthropic itself."""
    api_key_env: str = Field(default="ANTHROPIC_API_KEY", min_length=1)
    """The environment variable that holds the key. Without one the login of Claude Code is used; a server on this
    machine needs neither."""
    api_key: SecretStr | None = None
    """The key itself; better kept in the environment."""
    environment: tuple[str, ...] = ()
    """Variables handed on to Claude Code as they are, by name; the student's shell can read them. Needed for Bedrock,
    Vertex and Foundry: CLAUDE_CODE_USE_BEDROCK, AWS_PROFILE, …"""
    timeout_s: float = Field(default=600, gt=0)
    """Seconds one model call may take. How long a whole task may take is the env's `exec_timeout`."""
    max_retries: int = Field(default=2, ge=0)
    """Further attempts of Claude Code at one model call."""

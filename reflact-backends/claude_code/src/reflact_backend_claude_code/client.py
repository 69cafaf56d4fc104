"""What this machine offers: the command, and the key or login it works with. Nothing else reads the environment."""

from __future__ import annotations

import importlib.util
import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from reflact import BackendError, ConfigError
from reflact.agents import find
from reflact.llm.http import is_loopback

from reflact_backend_claude_code.config import ClaudeCodeConfig

ANTHROPIC = "https://api.anthropic.com"
PROVIDERS = ("CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY")
INSTALL = "Install it (npm install -g @anthropic-ai/claude-code, or pip install claude-agent-sdk)"

Means = Literal["key", "token", "login", "provider", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """How the models are reached. `place` says where `secret` comes from; a `provider` needs none of ours."""

    means: Means
    base_url: str = field(repr=False)
    place: str
    secret: str = field(default="", repr=False)

    @property
    def shown(self) -> str:
        """The address without what may be secret in it."""
        parts = urlsplit(self.base_url)
        return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="").geturl()


def command(config: ClaudeCodeConfig, *, environ: Mapping[str, str] = os.environ) -> Path:
    """Return the path of the Claude Code command. Raises `ConfigError` when there is none."""
    installed = find(config.path, path=environ.get("PATH", ""))
    bundled = _bundled()
    choice = {"cli": installed, "sdk": bundled, "auto": installed or bundled}[config.use_sdk]
    if choice is None:
        where = {
            "cli": f"`{config.path}` is not in PATH, or is no executable file",
            "sdk": "the package claude-agent-sdk is not installed",
            "auto": f"`{config.path}` is not in PATH, or is no executable file, and claude-agent-sdk is not installed",
        }[config.use_sdk]
        raise ConfigError(f"claude_code_exec: Claude Code is not there: {where}. {INSTALL}, or set `path`.")
    return choice


def profile(config: ClaudeCodeConfig) -> Path | None:
    """Return the settings file of the user, if one is named. Raises `ConfigError` when it cannot be used."""
    if not config.profile:
        return None
    file = Path(config.profile).expanduser().resolve()
    try:
        told = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"claude_code_exec: `profile`: {file} is no settings file in JSON: {error}") from error
    if not isinstance(told, dict):
        raise ConfigError(f"claude_code_exec: `profile`: {file} does not hold a JSON object.")
    return file


def access(config: ClaudeCodeConfig, *, environ: Mapping[str, str] = os.environ) -> Access:
    """Return how the models are reached: a key, a token, the user's login, a cloud provider, or an open local server.

    A login is read anew each time, since Claude Code itself renews it. Raises `ConfigError` when there is no way, and
    `BackendError` (auth) for a login that has run out.
    """
    url = (config.base_url or environ.get("ANTHROPIC_BASE_URL", "") or ANTHROPIC).rstrip("/").removesuffix("/v1")
    if config.api_key and config.api_key.get_secret_value().strip():
        return Access(means="key", base_url=url, place="`api_key`", secret=config.api_key.get_secret_value().strip())
    for means, name in _variables(config):
        if secret := environ.get(name, "").strip():
            return Access(means=means, base_url=url, place=f"${name}", secret=secret)
    if any(environ.get(name) for name in PROVIDERS if name in config.environment):
        return Access(means="provider", base_url="", place="`environment`")
    if is_loopback(url):
        return Access(means="none", base_url=url, place="a server on this machine")
    if url == ANTHROPIC and (login := _login(environ)):
        return login
    raise ConfigError(
        f"claude_code_exec: no key for {'Anthropic' if url == ANTHROPIC else url}: the environment variable "
        f"{config.api_key_env} is not set, and there is no login. Set it, or sign in with `claude` (on macOS: "
        "`claude setup-token`, then set CLAUDE_CODE_OAUTH_TOKEN)."
    )


def surroundings(*, environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return a copy of the environment, from which an agent's own is made."""
    return dict(environ)


def _variables(config: ClaudeCodeConfig) -> tuple[tuple[Means, str], ...]:
    return ("key", config.api_key_env), ("token", "ANTHROPIC_AUTH_TOKEN"), ("login", "CLAUDE_CODE_OAUTH_TOKEN")


def _login(environ: Mapping[str, str]) -> Access | None:
    """Return the login Claude Code keeps in its own folder. Only its access token is taken: it renews the rest."""
    folder = Path(environ.get("CLAUDE_CONFIG_DIR") or Path(environ.get("HOME") or "~").expanduser() / ".claude")
    file = folder / ".credentials.json"
    try:
        told: Any = json.loads(file.read_text(encoding="utf-8"))["claudeAiOauth"]
        token, until_ms = str(told["accessToken"]), float(told.get("expiresAt") or 0)
    except (OSError, ValueError, LookupError, TypeError):
        return None
    if until_ms and until_ms / 1000 < time.time():
        raise BackendError(
            f"claude_code_exec: the login in {file} has run out. Run `claude` once to renew it, then resume.",
            fault="auth",
        )
    return Access(means="login", base_url=ANTHROPIC, place=str(file), secret=token)


def _bundled() -> Path | None:
    """Return the command inside claude-agent-sdk, without importing it."""
    spec = importlib.util.find_spec("claude_agent_sdk")
    if spec is None or spec.origin is None:
        return None
    file = Path(spec.origin).parent / "_bundled" / "claude"
    return file if file.is_file() and os.access(file, os.X_OK) else None

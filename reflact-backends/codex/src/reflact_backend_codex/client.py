"""The only reader of the environment in this package: where Codex is, and how it signs in."""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from reflact import BackendError
from reflact.agents import find, long_texts
from reflact.agents.environment import NETWORK, PATH
from reflact.llm.http import is_loopback

from reflact_backend_codex.config import CodexConfig
from reflact_backend_codex.native import native

OPENAI_URL = "https://api.openai.com/v1"
LOGIN = "auth.json"
KEY_VARIABLE = "REFLACT_CODEX_KEY"
KEEP = (*NETWORK, "CODEX_CA_CERTIFICATE", "NODE_EXTRA_CA_CERTS")


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """How Codex reaches a model: at `url` (empty: its own way) with a key, a login on loan, or neither.

    `variables` hold the secrets Codex gets in its environment, `headers` name those that are HTTP headers. `found` says
    in words where the key or the login comes from.
    """

    url: str = ""
    key: str = field(default="", repr=False)
    headers: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict, repr=False)
    login: Path | None = None
    found: str = ""

    def secrets(self) -> tuple[str, ...]:
        """Return every text that must not be kept."""
        texts = [self.key, *self.variables.values()]
        if self.login is not None:
            texts += long_texts(json.loads(self.login.read_text("utf-8")))
        return tuple(texts)


@dataclass(frozen=True, slots=True)
class Client:
    """The environment of this process, as far as Codex is concerned."""

    environ: Mapping[str, str] = field(default_factory=lambda: os.environ, repr=False)

    def program(self, config: CodexConfig) -> Path:
        """Return the Codex program itself, not the script in front of it. Raises `BackendError` if there is none."""
        found = find(config.path, path=self.environ.get("PATH") or PATH)
        if found is None and config.path == "codex":
            found = _from_the_wheel()
        if found is None:
            raise BackendError(
                f"codex_exec: there is no command {config.path!r}. Install Codex (npm install -g @openai/codex, or pip "
                "install openai-codex), or set `path` (codex_exec_path) to the program.",
                fault="bad_request",
            )
        return native(found) or found

    def folder(self) -> Path:
        """Return the user's own Codex folder."""
        home = self.environ.get("CODEX_HOME") or str(Path(self.environ.get("HOME") or "~").expanduser() / ".codex")
        return Path(home).expanduser()

    def access(self, config: CodexConfig) -> Access:
        """Return how Codex signs in. Raises `BackendError` (auth) when there is no key and no login."""
        headers = {name: f"REFLACT_HEADER_{place}_SECRET" for place, name in enumerate(config.headers)}
        variables = {headers[name]: value.get_secret_value() for name, value in config.headers.items()}
        more = {name: self.environ[name] for name in config.pass_env if name in self.environ}
        key, found = self._key(config)
        login = self.folder() / LOGIN
        given = bool(key or config.base_url or config.auth_command or config.headers)
        if not given and login.is_file():
            return Access(variables=more, login=login, found=f"the login in {login}")
        if not (key or config.auth_command or config.headers) and not is_loopback(config.base_url):
            raise BackendError(f"codex_exec: {_missing(config, login)}", fault="auth")
        if key:
            variables[KEY_VARIABLE] = key
        url = config.base_url or OPENAI_URL
        if config.api_version and not url.rstrip("/").endswith("/openai"):
            url = f"{url.rstrip('/')}/openai"
        if config.api_version and key:
            headers["api-key"] = KEY_VARIABLE
        return Access(url=url, key=key, headers=headers, variables={**more, **variables}, found=found)

    def _key(self, config: CodexConfig) -> tuple[str, str]:
        """Return the key and where it comes from. A key that was not named gives way to a login."""
        if config.api_key and config.api_key.get_secret_value().strip():
            return config.api_key.get_secret_value().strip(), "api_key"
        if config.api_key_env:
            return self.environ.get(config.api_key_env, "").strip(), f"${config.api_key_env}"
        if config.auth_command or is_loopback(config.base_url):
            return "", "auth_command" if config.auth_command else "no key: the server is on this machine"
        if not config.base_url and (self.folder() / LOGIN).is_file():
            return "", ""
        for name in ("CODEX_API_KEY", "OPENAI_API_KEY"):
            if value := self.environ.get(name, "").strip():
                return value, f"${name}"
        return "", ""


def _missing(config: CodexConfig, login: Path) -> str:
    if config.api_key_env:
        return f"the environment variable {config.api_key_env} is not set. Set it, or name another in `api_key_env`."
    if config.base_url:
        return f"no key for {config.base_url}. Set OPENAI_API_KEY, or name another variable in `api_key_env`."
    return f"no login ({login} is not there) and no key. Sign in with `codex login`, or set OPENAI_API_KEY."


def _from_the_wheel() -> Path | None:
    """Return the program that the distribution `openai-codex-cli-bin` brings, where it is installed."""
    try:
        found = importlib.import_module("codex_cli_bin").bundled_codex_path()
    except (ImportError, OSError):
        return None
    return Path(found)

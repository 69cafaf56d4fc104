"""Starting Claude Code: the command, its way to the models, an environment with no key in it, and one deadline."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from reflact.agents import Command, Ended, Private, Secrets, ask, examined, minimal, run
from reflact.config.secret import is_secret
from reflact.contracts import Finding
from reflact.errors import BackendError, ReflactError

from reflact_backend_claude_code import client
from reflact_backend_claude_code.arguments import OPTIONAL, refusal, unknown_flag
from reflact_backend_claude_code.client import Access, Means
from reflact_backend_claude_code.config import ClaudeCodeConfig
from reflact_backend_claude_code.forward import Forwarder
from reflact_backend_claude_code.wording import SETTINGS

NAME = "claude_code_exec"
_VARIABLE: dict[Means, str] = {
    "key": "ANTHROPIC_API_KEY",
    "none": "ANTHROPIC_API_KEY",
    "token": "ANTHROPIC_AUTH_TOKEN",
    "login": "CLAUDE_CODE_OAUTH_TOKEN",
}
_STEADY = {
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
    "CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1",
    "CLAUDE_CODE_DISABLE_FILE_MENTIONS": "1",
    "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": "1",
    "DISABLE_AUTOUPDATER": "1",
}
"""No calls but those to the model, nothing read but what the student reads, nothing left running, no new version."""

Arguments = Callable[[frozenset[str]], tuple[str, ...]]
"""Makes the arguments of a run, given the flags this version lacks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass:
    """What a run is let in with: environment variables that hold no key of the user, and what must not be kept."""

    access: Access
    variables: dict[str, str] = field(repr=False)
    secrets: Secrets


class Launcher:
    """Runs the Claude Code command for many threads. Raises `ConfigError` when it, or a way to a model, is missing."""

    def __init__(self, config: ClaudeCodeConfig) -> None:
        self.config = config
        self.path = client.command(config)
        self.profile = client.profile(config)
        self._environ = client.surroundings()
        access = client.access(config, environ=self._environ)
        self._forwarder = Forwarder(access.base_url, shown=access.shown)
        self._lacking: frozenset[str] = frozenset()
        self._lock = threading.Lock()

    @cached_property
    def version(self) -> str:
        """The version of the command, as it says; empty when it does not."""
        return examined(self.path, helps=(), environ=self._environ).version

    @contextmanager
    def let_in(self) -> Iterator[Pass]:
        """Lend what a run needs to reach the models, for as long as it takes."""
        access = client.access(self.config, environ=self._environ)
        own = {name: self._environ[name] for name in self.config.environment if name in self._environ}
        hidden = [value for name, value in own.items() if is_secret(name)]
        if access.means == "provider":
            yield Pass(access=access, variables=own, secrets=Secrets(hidden))
            return
        with self._forwarder.lend(access.secret) as loan:
            variables = {**own, "ANTHROPIC_BASE_URL": loan.url, _VARIABLE[access.means]: loan.token}
            yield Pass(access=access, variables=variables, secrets=Secrets([access.secret, loan.token, *hidden]))

    def run(
        self,
        arguments: Arguments,
        let_in: Pass,
        private: Private,
        *,
        cwd: Path,
        stdin: bytes,
        timeout_s: float,
        max_tokens: int,
    ) -> Ended:
        """Return how the command ended, with no secret in what it printed.

        A flag that this version lacks is left out from then on, if a job can do without it. Raises
        `BackendError` when the command cannot be started, or does not take its arguments.
        """
        environment = self._environment(let_in, private, timeout_s=timeout_s, max_tokens=max_tokens)
        while True:
            lacking = self._lacking
            argv = (str(self.path), *arguments(lacking))
            ended = run(Command(argv=argv, cwd=cwd, environment=environment, timeout_s=timeout_s, stdin=stdin))
            if not self._learns(ended, lacking):
                return _cleaned(ended, let_in.secrets)

    def examine(self, arguments: Arguments) -> Iterator[Finding]:
        """Yield whether the command is there, takes its arguments, and is signed in. No model is asked."""
        try:
            found = self.version
            yield Finding(what="command", level="good", told=f"Claude Code {found or 'without a version'}: {self.path}")
            while True:
                lacking = self._lacking
                ended = ask(self.path, arguments(lacking), environ=self._environ)
                if not self._learns(ended, lacking):
                    break
        except BackendError as error:
            yield Finding(what="command", level="error", told=str(error))
            return
        if self._lacking:
            told = f"version {found} does not know {', '.join(sorted(self._lacking))}; the run does without"
            yield Finding(what="flags", level="warning", told=told)
        try:
            access = client.access(self.config, environ=self._environ)
        except ReflactError as error:
            yield Finding(what="access", level="error", told=str(error))
            return
        yield Finding(what="access", level="good", told=f"{access.shown or 'a provider'} with {access.place}")

    def settings(self, home: Path) -> None:
        """Write the settings Claude Code finds in its folder *home*."""
        (home / "settings.json").write_text(json.dumps(SETTINGS), encoding="utf-8")

    def _environment(self, let_in: Pass, private: Private, *, timeout_s: float, max_tokens: int) -> dict[str, str]:
        more = {
            **_STEADY,
            "CLAUDE_CONFIG_DIR": str(private.sub("claude")),
            "CLAUDE_CODE_TMPDIR": str(private.temp),
            "CLAUDE_CODE_MAX_RETRIES": str(self.config.max_retries),
            "CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(max_tokens),
            "API_TIMEOUT_MS": str(int(1000 * min(self.config.timeout_s, timeout_s))),
            **let_in.variables,
        }
        if let_in.access.means == "provider":
            return minimal(self._environ, private, more=more)
        return minimal(self._environ, private, keep=(), more=more)

    def _learns(self, ended: Ended, lacking: frozenset[str]) -> bool:
        """Return whether the command is to be run again, without a flag it complained of."""
        stderr = ended.stderr.decode("utf-8", "replace")
        if not ended.exit_code or ended.stdout.strip():
            return False
        flag = unknown_flag(stderr)
        if flag in OPTIONAL - lacking:
            with self._lock:
                self._lacking |= {flag}
            return True
        if told := refusal(stderr):
            raise BackendError(
                f"{NAME}: {self.path} (version {self.version or 'unknown'}) does not take its arguments: {told}. "
                "Use a version this backend is made for: 2.1.332 or newer.",
                fault="bad_request",
            )
        return False


def _cleaned(ended: Ended, secrets: Secrets) -> Ended:
    """Return *ended* with its output masked as a whole, before any part of it is cut out."""
    stdout, stderr = (secrets.masked(one.decode("utf-8", "replace")).encode() for one in (ended.stdout, ended.stderr))
    return replace(ended, stdout=stdout, stderr=stderr)

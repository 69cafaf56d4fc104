"""One run of Codex in a private folder: its own home, its settings, the login on loan."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from reflact import BackendError
from reflact.agents import Command, Ended, Private, Program, minimal, run

from reflact_backend_codex.client import KEEP, LOGIN, Access
from reflact_backend_codex.config import CodexConfig


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """Where one run of Codex happens. `home` is its CODEX_HOME; it does not lie below the TMPDIR Codex sees."""

    private: Private
    home: Path
    environment: Mapping[str, str]
    login: Path | None = None
    """The user's login file, of which `home` has a copy."""
    lent: bytes = field(default=b"", repr=False)

    def run(self, program: Program, words: Sequence[str], *, cwd: Path, stdin: str, timeout_s: float) -> Ended:
        """Run *program* with *words*, and *stdin* as its prompt."""
        return run(
            Command(
                argv=(str(program.path), *words),
                cwd=cwd,
                environment=self.environment,
                timeout_s=timeout_s,
                stdin=stdin.encode("utf-8", "replace"),
            )
        )

    def give_back(self) -> None:
        """Hand a login that Codex has renewed to the user, whose own is void then; unless theirs is newer still."""
        copy = self.home / LOGIN
        if self.login is None or not copy.is_file():
            return
        renewed = copy.read_bytes()
        if renewed == self.lent or not _is_json(renewed) or self.login.read_bytes() != self.lent:
            return
        draft = self.login.with_name(f".{LOGIN}.{self.private.marker}")
        draft.touch(mode=0o600)
        draft.write_bytes(renewed)
        draft.replace(self.login)


def begin(
    private: Private,
    config: CodexConfig,
    access: Access,
    *,
    environ: Mapping[str, str],
    folder: Path,
    settings: Callable[[str], str],
) -> Attempt:
    """Return an attempt in *private*. *settings* gives the config.toml for a marker, *folder* is the user's own home.

    Raises `BackendError` for a profile that is not there: Codex itself would go on without it.
    """
    home = private.sub("codex")
    (home / "config.toml").write_text(settings(private.marker), encoding="utf-8")
    if config.profile:
        profile = folder / f"{config.profile}.config.toml"
        if not profile.is_file():
            raise BackendError(f"codex_exec: profile {config.profile!r}: {profile} is not there.", fault="bad_request")
        shutil.copyfile(profile, home / profile.name)
    lent = access.login.read_bytes() if access.login is not None else b""
    if lent:
        (home / LOGIN).touch(mode=0o600)
        (home / LOGIN).write_bytes(lent)
    variables = {"CODEX_HOME": str(home), **access.variables}
    environment = minimal(environ, private, keep=KEEP, more=variables)
    return Attempt(private=private, home=home, environment=environment, login=access.login, lent=lent)


def _is_json(content: bytes) -> bool:
    try:
        return isinstance(json.loads(content), dict)
    except ValueError:
        return False

"""Looking, before anything is paid for, whether Codex can work here."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from reflact import BackendError, Finding
from reflact.agents import Command, Program, minimal, private_folder, run

from reflact_backend_codex.client import Client
from reflact_backend_codex.config import CodexConfig
from reflact_backend_codex.installed import Installed

TRIED = (0, 163)
"""The oldest version, major and minor, that was tried."""
NEEDED = ("--json", "--sandbox", "--cd", "resume")
SANDBOX_S = 30.0


def examine(
    config: CodexConfig, client: Client, installed: Installed, *, with_sandbox: bool = True
) -> Iterator[Finding]:
    """Yield what was found: the program, its flags, its sandbox, the sign-in, and settings that mean something else."""
    try:
        program = installed.program
    except BackendError as error:
        yield Finding(what="codex", level="error", told=str(error))
        return
    yield _version(program)
    if missing := [flag for flag in NEEDED if not program.takes(flag)]:
        told = f"{program.path} does not know {', '.join(missing)}; update Codex."
        yield Finding(what="codex flags", level="error", told=told)
    if with_sandbox:
        yield _sandbox(config, program, client)
    yield _sign_in(config, client)
    yield from _settings(config, client)


def _version(program: Program) -> Finding:
    known = tuple(int(part) for part in program.version.split(".")[:2] if part.isdecimal())
    if not program.version or known < TRIED:
        oldest = ".".join(map(str, TRIED))
        told = f"{program.path} is version {program.version or 'unknown'}; {oldest} is the oldest that was tried."
        return Finding(what="codex", level="warning", told=told)
    return Finding(what="codex", level="good", told=f"{program.path}, version {program.version}")


def _sandbox(config: CodexConfig, program: Program, client: Client) -> Finding:
    if config.mode == "danger-full-access":
        told = "commands of the model run without a sandbox and can read the key from the process table"
        return Finding(what="codex sandbox", level="warning", told=told)
    with (
        tempfile.TemporaryDirectory(prefix="reflact-", ignore_cleanup_errors=True) as folder,
        private_folder(Path(folder)) as private,
    ):
        more = {"CODEX_HOME": str(private.sub("codex"))}
        ended = run(
            Command(
                argv=(str(program.path), "sandbox", "--", "/bin/true"),
                cwd=private.temp,
                environment=minimal(client.environ, private, more=more),
                timeout_s=SANDBOX_S,
            )
        )
    if ended.exit_code == 0:
        return Finding(what="codex sandbox", level="good", told=f"{config.mode} works")
    why = " ".join(ended.stderr.decode("utf-8", "replace").split())[-300:]
    told = (
        f"`codex sandbox -- /bin/true` ends with {ended.exit_code}: {why or 'no reason given'}. Inside a container it "
        "needs user namespaces; `sandbox: danger-full-access` does without one."
    )
    return Finding(what="codex sandbox", level="error", told=told)


def _sign_in(config: CodexConfig, client: Client) -> Finding:
    try:
        access = client.access(config)
    except BackendError as error:
        return Finding(what="codex sign-in", level="error", told=str(error))
    where = f" for {access.url}" if access.url else ""
    return Finding(what="codex sign-in", level="good", told=f"{access.found or 'a command or a header'}{where}")


def _settings(config: CodexConfig, client: Client) -> Iterator[Finding]:
    if config.full_auto:
        told = "Codex has no such switch any more; it is run with sandbox workspace-write and approval never"
        yield Finding(what="full_auto", level="warning", told=told)
    if config.use_sdk == "sdk":
        yield Finding(what="use_sdk", level="warning", told="the command is always used; set `auto` or `cli`")
    if config.profile and not (client.folder() / f"{config.profile}.config.toml").is_file():
        told = f"{client.folder() / config.profile}.config.toml is not there"
        yield Finding(what="profile", level="error", told=told)

"""Which sandbox there is, and a refusal that says what to install where there is none."""

from __future__ import annotations

import subprocess
import tempfile
from functools import cache
from pathlib import Path
from shutil import which
from typing import Literal

from reflact.errors import ConfigError
from reflact.kit.sandbox.bubblewrap import Bubblewrap
from reflact.kit.sandbox.docker import Docker
from reflact.kit.sandbox.job import Job, Sandbox
from reflact.kit.sandbox.unconfined import Unconfined

Kind = Literal["auto", "bwrap", "docker", "none"]
INSTALL = "Debian, Ubuntu: apt-get install bubblewrap; Fedora: dnf install bubblewrap; Arch: pacman -S bubblewrap"
ANSWER_S = 20.0


@cache
def sandbox(kind: Kind = "auto", *, image: str = "", key: str = "env.sandbox") -> Sandbox:
    """Return the sandbox of *kind*; `auto` is bubblewrap. *key* is what the refusal tells the user to set.

    Raises `ConfigError` where it cannot work here: nothing is ever run less confined than was asked for.
    """
    if kind == "none":
        return Unconfined()
    if kind == "docker":
        return _docker(image, key)
    program = which("bwrap")
    if program is None:
        raise ConfigError(f"{key}: bubblewrap is not installed, and code is not run without it. {_ways(key)}")
    found = Bubblewrap(Path(program))
    with tempfile.TemporaryDirectory(prefix="reflact-sandbox-") as work:
        tried = found.run(Job(argv=("true",), work=Path(work)))
    if not tried.ok:
        reason = (tried.stderr.strip().splitlines() or [tried.reason])[-1]
        raise ConfigError(f"{key}: bubblewrap does not work here ({reason}). {_ways(key, installed=True)}")
    return found


def _docker(image: str, key: str) -> Docker:
    if not image:
        raise ConfigError(f"{key}: docker needs an image: set {key}_image, such as python:3.11-slim")
    program = which("docker")
    if program is None:
        raise ConfigError(f"{key}: docker is not installed; {_ways(key)}")
    try:
        asked = [program, "version", "--format", "{{.Server.Version}}"]
        answer = subprocess.run(asked, capture_output=True, text=True, timeout=ANSWER_S, check=False)
        reason = "" if answer.returncode == 0 else (answer.stderr.strip().splitlines() or ["no answer"])[-1]
    except subprocess.TimeoutExpired:
        reason = f"no answer within {ANSWER_S:g} s"
    if reason:
        raise ConfigError(f"{key}: the Docker engine cannot be reached ({reason}). Start it, or use {key}: bwrap")
    return Docker(Path(program), image)


def _ways(key: str, *, installed: bool = False) -> str:
    install = "" if installed else f"{INSTALL}. "
    return f"{install}Or set {key}: docker with {key}_image; or {key}: none to run the code with no confinement at all"

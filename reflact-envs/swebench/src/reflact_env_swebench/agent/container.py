"""Where an agent works with Docker: a container of the issue's image, bounded, and gone afterwards."""

from __future__ import annotations

import subprocess
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from reflact import BackendError

from reflact_env_swebench.agent.clock import LATE, Clock
from reflact_env_swebench.config import SWEBenchConfig
from reflact_env_swebench.environment import inherited

TESTBED = "/testbed"
CALM = {"PAGER": "cat", "MANPAGER": "cat", "LESS": "-R", "PIP_PROGRESS_BAR": "off", "TQDM_DISABLE": "1"}
SHELL = {"BASH_ENV": "$HOME/.bashrc"}
"""The images put the right Python on the path there; bash itself fills in the home."""
FULL = "no space left on device"
START_S = 120


def image_of(task_id: str, data: Mapping[str, Any]) -> str:
    """Return the image of an issue: its own, or by the name that the benchmark gives them."""
    named = task_id.lower().replace("__", "_1776_")
    return str(data.get("image") or f"docker.io/swebench/sweb.eval.x86_64.{named}:latest")


@dataclass(frozen=True, slots=True, kw_only=True)
class Container:
    """An environment in mini-swe-agent's sense around its own, that keeps to the time of the issue."""

    inner: Any
    clock: Clock
    command_s: float

    @property
    def config(self) -> Any:
        """Its settings."""
        return self.inner.config

    def execute(self, action: dict[str, Any], cwd: str = "") -> dict[str, Any]:
        """Return what the command of *action* prints, and its exit code."""
        seconds = int(self.clock.left(self.command_s))
        if not seconds:
            return dict(LATE)
        ran: dict[str, Any] = self.inner.execute(action, cwd, timeout=seconds)
        return ran

    def get_template_vars(self, **_: Any) -> dict[str, Any]:
        """Return what a prompt may say about this place."""
        return {"cwd": TESTBED}

    def serialize(self) -> dict[str, Any]:
        """Return what the trajectory file says of it."""
        said: dict[str, Any] = self.inner.serialize()
        return said


@contextmanager
def container(config: SWEBenchConfig, image: str, make: Any) -> Iterator[Container]:
    """Yield a fresh container of *image*, made by *make*; the clock of the issue starts when it is there.

    Raises `BackendError` when the image cannot be had, or no container of it started.
    """
    pull(config, image)
    try:
        inner = make(
            image=image,
            cwd=TESTBED,
            env={**CALM, **SHELL},
            forward_env=[],
            timeout=config.command_timeout,
            executable=config.docker,
            interpreter=["bash", "-c"],
            run_args=list(run_words(config)),
            container_timeout=f"{config.timeout_per_instance + 600}s",
            pull_timeout=START_S,
        )
    except (OSError, subprocess.SubprocessError) as error:
        told = getattr(error, "stderr", None) or str(error)
        raise BackendError(f"no container of {image} could be started: {_last(str(told))}") from error
    try:
        warn_of_later_commits(inner, image)
        clock = Clock(config.timeout_per_instance)
        yield Container(inner=inner, clock=clock, command_s=config.command_timeout)
    finally:
        with suppress(OSError, subprocess.SubprocessError):
            _docker(config, "rm", "--force", str(inner.container_id), seconds=START_S)
        inner.container_id = None


def warn_of_later_commits(inner: Any, image: str) -> None:
    """Warn when the repository of *image* holds commits that are no ancestors of where the agent starts."""
    told = inner.execute({"command": "git rev-list --count --all --not HEAD"})
    count = str(told["output"]).strip()
    if told["returncode"] == 0 and count.isdigit() and int(count):
        warning = f"{image}: its repository holds {count} commits from after the issue; the fix may be among them"
        warnings.warn(warning, RuntimeWarning, stacklevel=2)


def run_words(config: SWEBenchConfig) -> tuple[str, ...]:
    """Return how a container is bounded, as arguments of `docker run`: no folder of this machine is in it."""
    bounds = ("--memory", f"{config.container_mem_mb}m", "--cpus", f"{config.container_cpus:g}")
    network = () if config.rollout_network else ("--network", "none")
    pids = ("--pids-limit", str(config.container_pids))
    return ("--rm", "--label", "reflact=swebench", *bounds, *pids, "--security-opt", "no-new-privileges", *network)


def pull(config: SWEBenchConfig, image: str) -> None:
    """Fetch *image* unless it is there. Raises `BackendError` that tells a full disk from a missing image."""
    try:
        if _docker(config, "image", "inspect", image, seconds=START_S).returncode == 0:
            return
        pulled = _docker(config, "pull", image, seconds=config.pull_timeout)
    except subprocess.TimeoutExpired as error:
        told = f"the image {image} did not arrive within {error.timeout:g} s; raise env.pull_timeout"
        raise BackendError(told, fault="timeout") from error
    except OSError as error:
        raise BackendError(f"{config.docker} cannot be run: {error}") from error
    if pulled.returncode:
        told = _last(pulled.stderr or pulled.stdout)
        why = "the disk of Docker is full" if FULL in told.lower() else "the image cannot be had"
        mend = "; remove images with `docker image prune`" if FULL in told.lower() else ""
        raise BackendError(f"{why} ({image}): {told}{mend}")


def _docker(config: SWEBenchConfig, *words: str, seconds: float) -> subprocess.CompletedProcess[str]:
    command = [config.docker, *words]
    return subprocess.run(command, env=inherited(), capture_output=True, text=True, timeout=seconds, check=False)


def _last(text: str) -> str:
    return (text.strip().splitlines() or ["no reason given"])[-1]

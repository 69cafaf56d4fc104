"""What a run works and judges with: Docker and the official evaluation, or the sandbox and repositories on disk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from reflact import Task

from reflact_env_swebench.config import SWEBenchConfig
from reflact_env_swebench.item import Gold
from reflact_env_swebench.judge.harness import Harness
from reflact_env_swebench.judge.local import LocalJudge, parser_of
from reflact_env_swebench.judge.verdict import Verdict
from reflact_env_swebench.preflight import docker_faults, harness_command, local_faults, refuse, source_of
from reflact_env_swebench.workshop import workshops

Judge = Callable[[Task, Gold, str, Path], Verdict]


@dataclass(frozen=True, slots=True, kw_only=True)
class Equipment:
    """The judge of patches, and where agents work; `local` is `None` where that is a container."""

    judge: Judge
    local: LocalJudge | None = None


def equipment(config: SWEBenchConfig, tasks: Sequence[tuple[Task, Gold]], *, missing: Iterable[str] = ()) -> Equipment:
    """Return what *config* asks for. Raises `ConfigError` with everything that is *missing*, or found to be."""
    if not is_local(config, [task for task, _ in tasks]):
        refuse((*missing, *docker_faults(config, tasks)))
        command = harness_command(config)
        return Equipment(judge=Harness(command=command, seconds=config.eval_timeout, attempts=config.eval_attempts))
    sources = [(task, source_of(task, config.root)) for task, _ in tasks]
    refuse((*missing, *local_faults(sources)))
    for task, _ in tasks:
        parser_of(task)
    judge = LocalJudge(
        shops=workshops(config),
        sources={task.id: source for task, source in sources},
        command=config.test_command,
        seconds=config.eval_timeout,
    )
    return Equipment(judge=judge, local=judge)


def is_local(config: SWEBenchConfig, tasks: Sequence[Task]) -> bool:
    """Return whether agents work on folders of this machine."""
    if config.environment_class != "auto":
        return config.environment_class == "local"
    return all(task.data.get("repo_path") for task in tasks)

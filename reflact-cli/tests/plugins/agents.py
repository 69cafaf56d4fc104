"""Agents that are well and agents that are not, and an env that has pictures, for the tests of `reflact doctor`."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from reflact import BackendError, BackendSpec, EnvSpec, Rollout, Skill, Split, Student, Task, hookimpl
from reflact.config import Config
from reflact.contracts import Finding
from reflact.types import ExecJob, ExecResult


class Agent:
    """Does every job the same way, and says of itself whether it is there."""

    def __init__(self, work: Callable[[ExecJob], ExecResult], *, there: bool = True) -> None:
        self._work = work
        self._there = there

    def examine(self) -> Iterator[Finding]:
        if self._there:
            yield Finding(what="version", level="good", told="1.2.3")
        else:
            yield Finding(what="command", level="error", told="no `agent` on the PATH; install it")

    def run(self, job: ExecJob) -> ExecResult:
        return self._work(job)


def word(job: ExecJob) -> str:
    return job.skill.text.strip().rstrip(".").split()[-1]


def busy(job: ExecJob) -> ExecResult:
    workspace = job.workdir / "workspace"
    workspace.mkdir()
    (workspace / "word.txt").write_text(word(job))
    return ExecResult(answer=word(job), workspace=workspace)


def numb(job: ExecJob) -> ExecResult:
    return ExecResult(answer=word(job), workspace=job.workdir)


def silent(job: ExecJob) -> ExecResult:
    return ExecResult(answer="", outcome="empty")


def slow(job: ExecJob) -> ExecResult:
    return ExecResult(answer="", outcome="timeout")


def broken(job: ExecJob) -> ExecResult:
    raise BackendError("the endpoint is not there")


AGENTS = {
    "busy_exec": lambda: Agent(busy),
    "numb_exec": lambda: Agent(numb),
    "silent_exec": lambda: Agent(silent),
    "slow_exec": lambda: Agent(slow),
    "broken_exec": lambda: Agent(broken),
    "absent_exec": lambda: Agent(busy, there=False),
}


class Gallery:
    """An env without tasks: it is only ever looked at."""

    def __init__(self, config: Config) -> None:
        self._config = config

    def tasks(self, split: Split) -> Sequence[Task]:
        return ()

    def run(self, task: Task, *, skill: Skill, student: Student, workdir: Path) -> Rollout:
        return Rollout(task_id=task.id, kind=task.kind, hard=0.0, soft=0.0)


@hookimpl
def reflact_envs() -> Iterable[EnvSpec]:
    return [
        EnvSpec(name="galleries", config=Config, build=Gallery, needs=frozenset({"images"})),
        EnvSpec(name="newsrooms", config=Config, build=Gallery, needs=frozenset({"web_search"})),
    ]


@hookimpl
def reflact_backends() -> Iterable[BackendSpec]:
    return [
        BackendSpec(name=name, kind="exec", config=Config, build=lambda _, make=make: make())
        for name, make in AGENTS.items()
    ]

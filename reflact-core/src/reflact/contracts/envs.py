"""A benchmark, the student as it sees it, and what else an env may be able to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

from reflact.contracts.words import Kind
from reflact.types import ChatReply, ChatRequest, ExecJob, ExecResult, Image, Rollout, Skill, Split, Task


class Student(Protocol):
    """The student as an env sees it, for the length of one task: it writes down every call."""

    @property
    def kind(self) -> Kind:
        """`chat` or `exec`."""

    @property
    def timeout_s(self) -> float:
        """Seconds an exec student may work on one job (`env.exec_timeout`)."""

    def answer(
        self,
        prompt: str,
        *,
        skill: Skill,
        workdir: Path,
        images: Sequence[Image] = (),
        images_first: bool = False,
        max_tokens: int | None = None,
    ) -> str:
        """Return the reply to *prompt* and *images*, which come after it, or before it with *images_first*."""

    def chat(self, request: ChatRequest) -> ChatReply:
        """Send *request* as it is; only for chat students."""

    def run(self, job: ExecJob) -> ExecResult:
        """Run *job*; only for exec students."""

    def judge(self, request: ChatRequest) -> ChatReply:
        """Send *request* to the judge, who grades for an env whose spec says `judge=True`. Not part of the trace."""


class Env(Protocol):
    """A benchmark: it lists its tasks and runs one. Pools, retries, resume and files belong to the engine."""

    def tasks(self, split: Split) -> Sequence[Task]:
        """Return the tasks of *split*, always in the same order."""

    def run(self, task: Task, *, skill: Skill, student: Student, workdir: Path) -> Rollout:
        """Let *student* do *task* with *skill*, and grade it. Create `workdir`, the task's own folder, if needed."""


@runtime_checkable
class SupportsBatch(Protocol):
    """An env that runs many tasks side by side better than a thread each would."""

    def run_many(
        self,
        tasks: Sequence[Task],
        *,
        skill: Skill,
        student: Callable[[Task], Student],
        workdir: Callable[[Task], Path],
        workers: int,
    ) -> Iterator[Rollout]:
        """Yield the rollout of each of *tasks*, in any order, at most *workers* at once.

        *student* and *workdir* give each task its own. Closing the iterator ends what is under way. A task without a
        rollout is tried again like one that failed.
        """


@runtime_checkable
class SupportsReference(Protocol):
    """An env that knows more about a task than its answer: a proof, a plan, a worked solution."""

    def reference(self, task: Task) -> str:
        """Return what the teacher may read when it looks deeper into *task*, and the student never."""


@runtime_checkable
class Regrades(Protocol):
    """An env that can grade what a student said without asking anybody again."""

    def regrade(self, task: Task, rollout: Rollout) -> Rollout:
        """Return *rollout*, as it was stored, graded anew from what it holds."""


@runtime_checkable
class SupportsSubmission(Protocol):
    """An env whose benchmark takes what a student said as a file, for somebody else to score."""

    def submission(self, rollouts: Sequence[Rollout]) -> str:
        """Return the text of that file for *rollouts*, one a task and all of a split, also of those that failed."""


@runtime_checkable
class SupportsCheck(Protocol):
    """An env that knows a right answer, so that `reflact check` can demand a score of 1.0 for it."""

    def gold(self, task: Task) -> str: ...


@runtime_checkable
class SupportsPlay(Protocol):
    """An env whose right answer takes several replies, so that `reflact check` can demand a score of 1.0 for them."""

    def player(self, task: Task) -> Callable[[str], str]:
        """Return who does *task* right, once: it gives the reply to each prompt in turn."""

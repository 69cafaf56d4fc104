"""What a plugin implements, and the records it registers itself with."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from reflact.types import (
    ChatReply,
    ChatRequest,
    ExecJob,
    ExecResult,
    Image,
    Proposal,
    Rollout,
    Skill,
    Split,
    Task,
    Update,
)

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from reflact.config.schema import Config

Kind = Literal["chat", "exec"]
RoleName = Literal["teacher", "student", "judge"]
CHAT_ONLY: frozenset[Kind] = frozenset({"chat"})
BOTH: frozenset[Kind] = frozenset({"chat", "exec"})


@runtime_checkable
class ChatModel(Protocol):
    """A model that answers messages. Blocking and thread-safe; a call that gives no reply raises `BackendError`."""

    def chat(self, request: ChatRequest) -> ChatReply: ...


@runtime_checkable
class ExecAgent(Protocol):
    """A command-line agent that works in a folder. Blocking and thread-safe; trouble raises `BackendError`."""

    def run(self, job: ExecJob) -> ExecResult: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was looked at before anything is paid for: what, whether it is well, and what to do if not.

    `level` is `good`, `warning` (the run can do without) or `error` (it cannot).
    """

    what: str
    level: Literal["good", "warning", "error"]
    told: str


@runtime_checkable
class ExaminesItself(Protocol):
    """A model or an agent that can tell, without a model call, whether it is able to work: installed, signed in, …"""

    def examine(self) -> Iterator[Finding]: ...


class Student(Protocol):
    """The student as an env sees it, for the length of one task: it writes down every call."""

    @property
    def kind(self) -> Kind:
        """`chat` or `exec`."""

    def answer(
        self, prompt: str, *, skill: Skill, workdir: Path, images: Sequence[Image] = (), max_tokens: int | None = None
    ) -> str:
        """Return the student's reply to *prompt*, whichever kind of student it is."""

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
        self, tasks: Sequence[Task], *, skill: Skill, student: Student, workdir: Path
    ) -> Iterator[Rollout]: ...


@runtime_checkable
class SupportsProbe(Protocol):
    """An env that can run a task again with a diagnostic instruction, from a chosen step on."""

    def probe(
        self, task: Task, *, skill: Skill, student: Student, workdir: Path, instruction: str, after_step: int | None
    ) -> Rollout: ...


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
class ExplainsMisses(Protocol):
    """An update mode that can tell before a gate is paid for that none of the items would do anything."""

    def misses(self, skill: Skill, items: Sequence[Any]) -> str:
        """Return why none of *items* changes *skill*, for the teacher to read; empty when one does."""


@runtime_checkable
class SupportsCheck(Protocol):
    """An env that knows a right answer, so that `reflact check` can demand a score of 1.0 for it."""

    def gold(self, task: Task) -> str: ...


class Ask(Protocol):
    """Render a teacher template, ask, and return the validated reply as an `Answer` (see `reflact.llm.ask`)."""

    def __call__(self, template: str, reply: type[Any], *, stage: str, **values: Any) -> Any: ...


class UpdateMode(Hashable, Protocol):
    """A way to turn proposals into a new skill."""

    @property
    def item(self) -> type[Any]:
        """The frozen dataclass of one proposed item, with its provenance."""

    @property
    def draft(self) -> type[Any]:
        """The pydantic model of an item as the teacher writes it; gives the reply's JSON schema."""

    @property
    def payload(self) -> str:
        """The JSON key that holds the items: `edits`, `revise_suggestions`, …"""

    @property
    def suffix(self) -> str:
        """What the mode's templates end in, before `.md.j2`: `""`, `_rewrite`, …"""

    @property
    def artifact(self) -> str:
        """The file of the update's report: `edit_apply_report.json`, `rewrite_result.json`, …"""

    @property
    def budgeted(self) -> bool:
        """Whether select cuts the proposal to the learning rate."""

    def describe(self, item: Any) -> str:
        """Return one line that names *item* to a teacher who ranks it, and to a reader."""

    def brief(self, item: Any) -> Mapping[str, Any]:
        """Return *item* in short, as JSON-ready data: what is remembered of it when its candidate is rejected."""

    def report(self, update: Update) -> Any:
        """Return what the file `artifact` tells of *update*, as JSON-ready data."""

    def apply(self, skill: Skill, chosen: Proposal, *, ask: Ask) -> Update:
        """Return the candidate made from *skill* and the *chosen* items, with what became of each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvSpec:
    """An env, as its package registers it."""

    name: str
    config: type[Config]
    build: Callable[[Any], Env]
    summary: str = ""
    initial_skill: Traversable | None = None
    """The skill a run starts from when `env.skill_init` is not set; `None` starts from an empty one."""
    prompts: Traversable | None = None
    """A folder of templates that override the core's, by file name."""
    students: frozenset[Kind] = BOTH
    sample: Callable[[Path, int, int], None] | None = None
    """`sample(out, n, seed)` writes *n* made-up items below *out*, in a form the env reads."""
    judge: bool = False
    version: str = "1"
    """Raised when the same task and answer would be graded differently: old results are then not reused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackendSpec:
    """A model backend, as its package registers it."""

    name: str
    kind: Kind
    config: type[Config]
    build: Callable[[Any], ChatModel | ExecAgent]
    summary: str = ""
    roles: frozenset[RoleName] = frozenset({"teacher", "student", "judge"})
    chat: Callable[[Any], ChatModel] | None = None
    """Builds what answers messages as teacher or judge, for a backend of kind `exec` that can also do that."""
    concurrency: int = 256
    """The most calls at once where the configuration does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateModeSpec:
    """An update mode, as its package registers it."""

    name: str
    build: Callable[[], UpdateMode]
    summary: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptPack:
    """A folder of templates (`*.md.j2`) and reply schemas (`*.schema.json`) that override the core's, by file name."""

    name: str
    root: Traversable
    summary: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInfo:
    """A run that is about to start or go on."""

    out_root: Path
    env: str
    config: Mapping[str, Any]
    total_steps: int
    epochs: int
    sizes: Mapping[str, int]
    notes: tuple[str, ...] = ()
    """What the user should know before it starts: legacy spellings, settings that have no effect yet."""
    resumed_from: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StageDone:
    """A stage that has its result, made now or read from disk."""

    name: str
    step: int
    seconds: float
    artifact: Path
    from_disk: bool
    summary: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRecord:
    """A step that is over, as `history.json` holds it."""

    step: int
    epoch: int
    action: str
    record: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class EpochRecord:
    """An epoch that is over."""

    epoch: int
    accepts: int
    rejects: int
    skips: int
    current_score: float
    best_score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """A run that is over, as `summary.json` holds it; `error` says why it ended early."""

    out_root: Path
    values: Mapping[str, Any] = field(default_factory=dict)
    error: str | None = None

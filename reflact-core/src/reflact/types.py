"""The data that flows through a run. Everything is frozen; nothing here does I/O."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

Split = Literal["train", "val", "test"]
Outcome = Literal["ok", "empty", "truncated", "refused", "timeout", "infra_error"]
Source = Literal["failure", "success"]
Op = Literal["append", "insert_after", "replace", "delete"]
Finish = Literal["stop", "tool_calls", "length", "refused"]

UNSCORED: frozenset[Outcome] = frozenset({"timeout", "infra_error"})
"""Outcomes in which the student never had its chance: retried, and left out of every score."""


@dataclass(frozen=True, slots=True)
class Skill:
    """The markdown document that is trained."""

    text: str

    @property
    def digest(self) -> str:
        """The first 16 hex digits of the SHA-256 of the text; a skill's identity."""
        return sha256(self.text.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One item of a benchmark. `data` is JSON that only the task's own env reads."""

    id: str
    kind: str = "default"
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What model calls took: number of calls and tokens. `cached` is part of `prompt`, `reasoning` of `completion`."""

    calls: int = 0
    prompt: int = 0
    cached: int = 0
    completion: int = 0
    reasoning: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            calls=self.calls + other.calls,
            prompt=self.prompt + other.prompt,
            cached=self.cached + other.cached,
            completion=self.completion + other.completion,
            reasoning=self.reasoning + other.reasoning,
        )


def total_usage(usages: Iterable[Usage]) -> Usage:
    """Return the sum of *usages*."""
    return sum(usages, start=Usage())


@dataclass(frozen=True, slots=True, kw_only=True)
class Rollout:
    """What the student did on one task, and how good it was.

    `hard` is success (0 or 1), `soft` partial credit (0..1); both mean nothing when `outcome` is unscored.
    `expected` and `feedback` hold what the teacher may know and the student may not. `trace` is the conversation,
    one JSON object per message. The engine fills `kind`, `trace`, `usage` and `outcome` where an env leaves them out.
    """

    task_id: str
    hard: float
    soft: float
    kind: str = "default"
    answer: str = ""
    question: str = ""
    expected: tuple[str, ...] = ()
    feedback: str = ""
    trace: tuple[dict[str, Any], ...] = ()
    outcome: Outcome = "ok"
    usage: Usage = Usage()
    error: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def scored(self) -> bool:
        """False when infrastructure, not the student, is to blame."""
        return self.outcome not in UNSCORED

    @property
    def failed(self) -> bool:
        """True when the student had its chance and did not fully succeed."""
        return self.scored and self.hard < 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Means over the `n` scored items of a split. A curtailed score covers a prefix that already proves defeat."""

    hard: float
    soft: float
    n: int
    n_errors: int = 0
    n_right: int = 0
    curtailed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A skill, its gate score and where it came from; the three never part."""

    skill: Skill
    score: float
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One bounded change of a skill, with the minibatches that called for it.

    `support_count` is computed: the number of trajectories in the minibatches named by `sources`.
    """

    op: Op
    content: str = ""
    target: str = ""
    sources: tuple[str, ...] = ()
    support_count: int = 0
    source_type: Source = "failure"
    merge_level: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A failure pattern as an analyst named and counted it."""

    failure_type: str
    count: int = 1
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """Changes somebody wants: one analyst, a merge, or what is left after ranking. `usage` is what *this* one took."""

    items: tuple[Any, ...] = ()
    reasoning: str = ""
    source_type: Source = "failure"
    name: str = ""
    batch_size: int = 0
    failures: tuple[Failure, ...] = ()
    note: str = ""
    usage: Usage = Usage()


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemReport:
    """What became of one proposed item. `status` starts with `applied`, `relocated`, `skipped` or `noop`."""

    index: int
    status: str
    op: str = ""
    target: str = ""
    content_preview: str = ""
    hint: str = ""

    @property
    def applied(self) -> bool:
        """True when the item changed the skill."""
        return self.status.startswith(("applied", "relocated"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """A candidate skill and how it was made."""

    skill: Skill
    report: tuple[ItemReport, ...] = ()
    summary: tuple[str, ...] = ()
    usage: Usage = Usage()


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What the gate did. `skip` actions say why no candidate was tried."""

    action: str
    candidate: Scored | None
    current: Scored
    best: Scored

    @property
    def accepted(self) -> bool:
        """True when the candidate replaced the current skill."""
        return self.action.startswith("accept")


@dataclass(frozen=True, slots=True, kw_only=True)
class StepDigest:
    """What later reflection should know of one step (an entry of the step buffer)."""

    step: int
    action: str
    n_total: int
    n_fail: int
    failure_patterns: tuple[Failure, ...] = ()
    score_before: float | None = None
    score_after: float | None = None
    rejected_edits: tuple[Edit, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """What the teacher carries from step to step: this epoch's digests, and its memory across epochs."""

    steps: tuple[StepDigest, ...] = ()
    meta_skill: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunState:
    """All that survives a step; what `runtime_state.json` holds."""

    step: int
    epoch: int
    current: Scored
    best: Scored
    best_step: int
    memory: Memory = Memory()
    scores: Mapping[str, Score] = field(default_factory=dict)
    """Selection scores by skill digest: a skill is never evaluated twice on the same items."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """The tasks of one step; one part per accumulated microbatch."""

    step: int
    epoch: int
    step_in_epoch: int
    parts: tuple[tuple[Task, ...], ...]
    seeds: tuple[int, ...]
    last_of_epoch: bool


@dataclass(frozen=True, slots=True)
class Text:
    """A text part of a message."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """An image part of a message: encoded bytes and their media type, such as `image/png`."""

    data: bytes
    media_type: str
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A call the model asks for; `arguments` is the JSON text as the model wrote it."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool the model may call; `parameters` is a JSON schema."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message. `tool_calls` belong to the assistant, `tool_call_id` to a tool's answer."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str | tuple[Text | Image, ...] = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""

    @property
    def text(self) -> str:
        """The text parts, joined."""
        if isinstance(self.content, str):
            return self.content
        return "\n".join(part.text for part in self.content if isinstance(part, Text))


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """What a chat model is asked. `None` leaves a parameter to the backend's configuration."""

    messages: tuple[Message, ...]
    schema: Mapping[str, Any] | None = None
    schema_name: str = "reply"
    tools: tuple[Tool, ...] = ()
    max_tokens: int | None = None
    effort: str | None = None
    temperature: float | None = None
    stage: str = ""
    repeat: int = 0
    """Which of several equal requests this is; part of a cache key, never sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatReply:
    """What a chat model said. `finish` tells a complete reply from one that was cut or refused."""

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage = Usage(calls=1)
    finish: Finish = "stop"
    model: str = ""

    @property
    def outcome(self) -> Outcome:
        """The outcome of a task that ends with this reply."""
        if self.finish == "refused":
            return "refused"
        if self.finish == "length":
            return "truncated"
        return "ok" if self.text.strip() or self.tool_calls else "empty"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecJob:
    """What a command-line agent is asked to do in `workdir`."""

    workdir: Path
    prompt: str
    skill: Skill
    timeout_s: float
    images: tuple[Image, ...] = ()
    resume: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecResult:
    """What the agent gave back: its last message, its normalised steps, and how it ended."""

    answer: str
    trace: tuple[dict[str, Any], ...] = ()
    outcome: Outcome = "ok"
    usage: Usage = Usage(calls=1)
    error: str | None = None

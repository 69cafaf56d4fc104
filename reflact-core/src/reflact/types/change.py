"""What a teacher proposes and what becomes of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from reflact.types.task import NOTHING, Scored, Skill, Usage

Source = Literal["failure", "success"]
Op = Literal["append", "insert_after", "replace", "delete"]
Revision = Literal["add_rule", "remove_rule", "merge_rules", "reorganize", "compress", "clarify"]
Priority = Literal["high", "medium", "low"]


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
class Suggestion:
    """Something to be revised in a skill, in words that a later rewrite acts on. Provenance as in `Edit`."""

    type: Revision
    title: str = ""
    motivation: str = ""
    instruction: str = ""
    priority_hint: Priority = "medium"
    sources: tuple[str, ...] = ()
    support_count: int = 0
    source_type: Source = "failure"
    merge_level: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A complete document that may take the place of a skill. Provenance as in `Edit`."""

    new_skill: str
    title: str = ""
    change_summary: tuple[str, ...] = ()
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
    notes: tuple[str, ...] = ()
    """Execution notes: reminders for the skill's appendix (skill-aware reflection)."""
    note: str = ""
    """What went wrong on the way, for the record."""
    usage: Usage = NOTHING


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
    reasoning: str = ""
    summary: tuple[str, ...] = ()
    note: str = ""
    """Why there is no new document although the mode was asked for one."""
    usage: Usage = NOTHING


@dataclass(frozen=True, slots=True, kw_only=True)
class Flips:
    """What became of the tasks two skills were both scored on, and the 95 % interval of the mean difference."""

    improved: int = 0
    regressed: int = 0
    unchanged: int = 0
    difference_95: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What the gate did. `skip` actions say why no candidate was tried."""

    action: str
    candidate: Scored | None
    current: Scored
    best: Scored
    flips: Flips | None = None
    reason: str = ""

    @property
    def accepted(self) -> bool:
        """True when the candidate replaced the current skill."""
        return self.action.startswith("accept")

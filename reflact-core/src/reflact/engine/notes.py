"""Skill-aware reflection: the execution notes of a step, gated with its edits and not beside them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from reflact.llm.ask import Teacher
from reflact.stages.appendix import consolidate, distinct, notes_of
from reflact.store.codec import json_codec, plain
from reflact.store.folder import Folder
from reflact.types import Proposal, Skill, Usage

FILE = "appendix_notes.json"
GATHERED = json_codec(dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """The notes a candidate's appendix will hold, those that are new in this step, and what it took."""

    notes: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    usage: Usage = Usage()  # noqa: RUF009


Gather = Callable[[Skill, Sequence[str], Sequence[Proposal], Folder], Gathered]


def no_notes(skill: Skill, pending: Sequence[str], proposals: Sequence[Proposal], at: Folder) -> Gathered:
    """Gather nothing: skill-aware reflection is off."""
    return Gathered()


@dataclass(frozen=True, slots=True, kw_only=True)
class Gatherer:
    """Joins the skill's notes, those of earlier steps that were not accepted with their candidate, and the new ones."""

    teacher: Teacher
    threshold: int

    def __call__(self, skill: Skill, pending: Sequence[str], proposals: Sequence[Proposal], at: Folder) -> Gathered:
        """Return what the appendix is to hold; the step's file is written whether or not a candidate follows."""
        new = distinct((*pending, *(note for one in proposals for note in one.notes)))
        if not new:
            return Gathered()
        kept = at.keep(FILE, GATHERED, self._gather, skill, new)
        return Gathered(notes=tuple(kept["appendix_after"]), new=new, usage=Usage(**kept["usage"]))

    def _gather(self, skill: Skill, new: tuple[str, ...]) -> dict[str, Any]:
        notes, usage = consolidate(distinct((*notes_of(skill), *new)), teacher=self.teacher, threshold=self.threshold)
        return {"step_notes": list(new), "appendix_after": list(notes), "usage": plain(usage)}

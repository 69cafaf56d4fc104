"""Update mode `full_rewrite_minibatch`: every analyst writes a whole skill, and merging makes one of them."""

from typing import Any, Literal

from pydantic import BaseModel

from reflact.contracts import Ask
from reflact.llm.tolerant import Points, Words
from reflact.modes.document import Document
from reflact.skill import regions
from reflact.types import Candidate, ItemReport, Proposal, Skill, Update

KEPT_CHARS, KEPT_POINTS = 200, 3
PREVIEW = 120


class CandidateDraft(BaseModel):
    """A complete document as a teacher writes it, with what is new in it."""

    title: Words = ""
    change_summary: Points = ()
    new_skill: Document


class FullRewrite:
    """Whole documents; the learning rate has nothing to cut, and no further call is made."""

    item: type[Candidate] = Candidate
    draft: type[CandidateDraft] = CandidateDraft
    payload = "skill_candidates"
    suffix = "_full_rewrite"
    artifact = "full_rewrite_result.json"
    budgeted: Literal[False] = False

    def describe(self, item: Candidate) -> str:
        """Return title, changes and beginning of the candidate on one line, with its support."""
        said = f"{item.title}: {'; '.join(item.change_summary)} | {item.new_skill[:PREVIEW]}"
        return f"{' '.join(said.split())} (support {item.support_count}, {item.source_type})"

    def brief(self, item: Candidate) -> dict[str, Any]:
        """Return what was new, without the document."""
        return {
            "title": item.title[:KEPT_CHARS],
            "change_summary": [point[:KEPT_CHARS] for point in item.change_summary[:KEPT_POINTS]],
            "source_type": item.source_type,
        }

    def report(self, update: Update) -> dict[str, Any]:
        """Return the candidate that was taken, or a note on why none was."""
        taken = next((one for one in update.report if one.applied), None)
        if taken is None:
            return {"selected_candidate": None, "change_summary": [], "note": update.note}
        return {
            "selected_candidate": {
                "index": taken.index,
                "title": taken.content_preview,
                "new_skill": update.skill.text,
            },
            "change_summary": list(update.summary),
        }

    def apply(self, skill: Skill, chosen: Proposal, *, ask: Ask) -> Update:
        """Take the first candidate that is no blank page; what is protected is put back, whatever it holds."""
        blank = [not regions.unprotected(item.new_skill) for item in chosen.items]
        if all(blank):
            return Update(skill=skill, report=_reports(chosen, blank), note="no candidate holds a document")
        taken: Candidate = chosen.items[blank.index(False)]
        return Update(
            skill=Skill(regions.carry_over(taken.new_skill, skill.text)),
            report=_reports(chosen, blank),
            reasoning=chosen.reasoning,
            summary=taken.change_summary,
        )


def _reports(chosen: Proposal, blank: list[bool]) -> tuple[ItemReport, ...]:
    """Return what became of each candidate, its index counted from 1."""
    first = blank.index(False) if False in blank else len(blank)
    return tuple(
        ItemReport(
            index=at + 1,
            status="applied_candidate" if at == first else "skipped_blank" if blank[at] else "skipped_not_the_first",
            content_preview=item.title[:KEPT_CHARS],
        )
        for at, item in enumerate(chosen.items)
    )

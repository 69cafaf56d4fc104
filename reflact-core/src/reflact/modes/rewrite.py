"""Update mode `rewrite_from_suggestions`: the teacher suggests revisions, and one call writes the whole skill anew."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, model_validator

from reflact.contracts import Ask
from reflact.llm.ask import NoAnswer
from reflact.llm.tolerant import LABEL, Points, Words
from reflact.modes.document import Document
from reflact.skill import regions
from reflact.types import Priority, Proposal, Revision, Skill, Suggestion, Update

KEPT_CHARS = 200


def _priority(value: Any) -> Any:
    said = str(value).strip().lower()
    return said if said in ("high", "low") else "medium"


class SuggestionDraft(BaseModel):
    """A suggestion as a teacher writes it: `instruction` tells the writer what to change, `motivation` why."""

    type: Annotated[Revision, LABEL]
    title: Words = ""
    motivation: Words = ""
    instruction: Words = ""
    priority_hint: Annotated[Priority, BeforeValidator(_priority)] = "medium"

    @model_validator(mode="after")
    def _asks_for_something(self) -> "SuggestionDraft":
        if not (self.title.strip() or self.instruction.strip()):
            raise ValueError("a suggestion needs an instruction")
        return self


class RewriteReply(BaseModel):
    """The new document and what changed in it."""

    reasoning: Words = ""
    change_summary: Points = ()
    new_skill: Document


class Rewrite:
    """Suggestions first, then one new document."""

    item: type[Suggestion] = Suggestion
    draft: type[SuggestionDraft] = SuggestionDraft
    payload = "revise_suggestions"
    suffix = "_rewrite"
    artifact = "rewrite_result.json"
    budgeted: Literal[True] = True

    def describe(self, item: Suggestion) -> str:
        """Return the suggestion on one line, with its priority and support."""
        said = " ".join(f"{item.title}: {item.instruction}".split())
        support = f"priority {item.priority_hint}, support {item.support_count}, {item.source_type}"
        return f"{item.type}: {said} ({support})"

    def brief(self, item: Suggestion) -> dict[str, str]:
        """Return what was to be changed."""
        return {
            "type": item.type,
            "title": item.title[:KEPT_CHARS],
            "instruction": item.instruction[:KEPT_CHARS],
        }

    def report(self, update: Update) -> dict[str, Any]:
        """Return the new document and what the writer said of it, or a note on why there is none."""
        if update.note:
            return {"reasoning": "", "change_summary": [], "new_skill": "", "note": update.note}
        return {
            "reasoning": update.reasoning,
            "change_summary": list(update.summary),
            "new_skill": update.skill.text,
        }

    def apply(self, skill: Skill, chosen: Proposal, *, ask: Ask) -> Update:
        """Let the teacher write the skill anew; what is protected is put back by code, whatever it wrote."""
        if not chosen.items:
            return Update(skill=skill, note="there is no suggestion to carry out")
        try:
            answer = ask("rewrite_skill", RewriteReply, stage="rewrite", skill=skill.text, suggestions=chosen.items)
        except NoAnswer as error:
            return Update(skill=skill, note=str(error), usage=error.usage)
        reply: RewriteReply = answer.value
        return Update(
            skill=Skill(regions.carry_over(reply.new_skill, skill.text)),
            reasoning=reply.reasoning,
            summary=reply.change_summary,
            usage=answer.usage,
        )

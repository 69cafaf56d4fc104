"""Update mode `patch`: the teacher proposes small edits, and they are applied one by one."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel

from reflact.contracts import Ask
from reflact.llm.tolerant import LABEL, Words
from reflact.skill.edits import apply_edits
from reflact.types import Edit, Op, Proposal, Skill, Update

KEPT_CHARS = 200


class EditDraft(BaseModel):
    """An edit as a teacher writes it: `target` is existing text of the skill, `content` the new text."""

    op: Annotated[Op, LABEL]
    target: Words = ""
    content: Words = ""


class Patch:
    """Fine-grained edits."""

    item: type[Edit] = Edit
    draft: type[EditDraft] = EditDraft
    payload = "edits"
    suffix = ""
    artifact = "edit_apply_report.json"
    budgeted: Literal[True] = True

    def describe(self, item: Edit) -> str:
        """Return the edit on one line, with its support."""
        where = f" at {item.target!r}" if item.target else ""
        return f"{item.op}{where}: {' '.join(item.content.split())} (support {item.support_count}, {item.source_type})"

    def brief(self, item: Edit) -> dict[str, str]:
        """Return the edit, its texts cut."""
        return {"op": item.op, "content": item.content[:KEPT_CHARS], "target": item.target[:KEPT_CHARS]}

    def misses(self, skill: Skill, items: Sequence[Edit]) -> str:
        """Return what is wrong with each edit when none of them changes the skill."""
        update = apply_edits(skill, items)
        if not items or update.skill != skill:
            return ""
        told = (
            f"edit {one.index} ({one.op}): {one.status}" + (f", the nearest line is: {one.hint}" if one.hint else "")
            for one in update.report
        )
        return f"no edit changes the document: {'; '.join(told)}"

    def report(self, update: Update) -> list[dict[str, Any]]:
        """Return what became of each edit, in order, its `index` counted from 1."""
        return [
            {
                "op": one.op,
                "target": one.target,
                "content_preview": one.content_preview,
                "status": one.status,
                "index": one.index,
                **({"hint": one.hint} if one.hint else {}),
            }
            for one in update.report
        ]

    def apply(self, skill: Skill, chosen: Proposal, *, ask: Ask) -> Update:
        """Apply the chosen edits in order; `ask` is not needed."""
        return apply_edits(skill, chosen.items)

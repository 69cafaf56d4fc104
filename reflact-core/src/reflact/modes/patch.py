"""Update mode `patch`: the teacher proposes small edits, and they are applied one by one."""

from typing import Any, Literal

from pydantic import BaseModel, field_validator

from reflact.contracts import Ask
from reflact.skill.edits import apply_edits
from reflact.types import Edit, Op, Proposal, Skill, Update


class EditDraft(BaseModel):
    """An edit as a teacher writes it: `target` is existing text of the skill, `content` the new text."""

    op: Op
    target: str = ""
    content: str = ""

    @field_validator("op", mode="before")
    @classmethod
    def _lower(cls, value: object) -> object:
        return value.strip().lower().replace(" ", "_").replace("-", "_") if isinstance(value, str) else value

    @field_validator("target", "content", mode="before")
    @classmethod
    def _no_null(cls, value: object) -> object:
        return "" if value is None else value


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

"""An update mode of a stranger: the teacher proposes single lines, and they are added to the skill."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from reflact import PromptPack, Proposal, Skill, Update, UpdateModeSpec, hookimpl
from reflact.contracts import Ask
from reflact.skill import regions


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line to be added, and where it comes from."""

    text: str
    sources: tuple[str, ...] = ()
    support_count: int = 0
    source_type: str = "failure"
    merge_level: int = 0


class LineDraft(BaseModel):
    """A line as the teacher writes it."""

    text: str


class Lines:
    """Lines are added at the end, before what is protected there."""

    item = Line
    draft = LineDraft
    payload = "lines"
    suffix = "_lines"
    artifact = "lines_added.json"
    budgeted = True

    def describe(self, item: Line) -> str:
        """Return the line with its support."""
        return f"{' '.join(item.text.split())} (support {item.support_count})"

    def brief(self, item: Line) -> dict[str, str]:
        """Return the line."""
        return {"text": item.text}

    def report(self, update: Update) -> list[str]:
        """Return the lines that were added."""
        return list(update.summary)

    def apply(self, skill: Skill, chosen: Proposal, *, ask: Ask) -> Update:
        """Add each line, without any marker it holds."""
        lines = [" ".join(regions.strip_markers(item.text).split()) for item in chosen.items]
        at = regions.body_end(skill.text)
        body = "\n".join([skill.text[:at].rstrip("\n"), *(f"- {line}" for line in lines)]).lstrip("\n")
        return Update(skill=Skill(f"{body}\n\n{skill.text[at:]}".rstrip("\n") + "\n"), summary=tuple(lines))


@hookimpl
def reflact_update_modes() -> list[UpdateModeSpec]:
    """Return the mode."""
    build: Any = Lines
    return [UpdateModeSpec(name="lines", build=build, summary="single lines, added at the end")]


@hookimpl
def reflact_prompts() -> list[PromptPack]:
    """Return the templates the mode needs."""
    return [PromptPack(name="lines", root=Path(__file__).parent / "prompts", summary="for the update mode lines")]

"""How the scripted teacher puts its ideas, by update mode: as edits, as suggestions, as a whole document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from reflact.skill import regions

from benchmarks.mechanisms.assumptions import Assumptions
from benchmarks.mechanisms.world import Document

ITEM = re.compile(
    r"^\[(\d+)\] (?:append|add_rule, priority \w+), support \d+, .*?\n```\n- (.*?)\.\n```"
    r"|^\[(\d+)\] support \d+, from \w+$.*?^new_skill:\n```\n(.*?)\n```",
    re.M | re.S,
)
PAYLOADS = ("skill_candidates", "revise_suggestions", "edits")


def section(text: str, heading: str) -> str:
    """Return the part of *text* under the first-level heading that *heading*, a pattern, begins; empty without one."""
    found = re.search(rf"^# {heading}.*?$(.*?)(?=^# |\Z)", text, re.M | re.S)
    return found[1] if found else ""


def payload(told: str) -> str:
    """Return the key under which the system prompt *told* wants changes."""
    return next(one for one in PAYLOADS if one in told)


@dataclass(frozen=True)
class Writer:
    """Puts ideas as the update mode wants them; a document is written by memory, so that lines get lost."""

    payload: str
    skill: str
    given: Assumptions
    random: Random

    def changes(self, ideas: Sequence[str]) -> list[dict[str, Any]]:
        """Return the items that bring *ideas* into the skill."""
        if not ideas:
            return []
        if self.payload == "skill_candidates":
            return [self._candidate([*self.kept(), *ideas])]
        return [self._item(idea) for idea in ideas]

    def merged(self, asked: str) -> list[dict[str, Any]]:
        """Return the pool that *asked* shows as one, each idea once; one that a single analyst had may be dropped."""
        origins: dict[str, list[int]] = {}
        for at, idea, candidate, document in ITEM.findall(
            section(asked, "The (?:proposed edits|suggestions|candidates)")
        ):
            for one in [idea] if idea else Document.read(document).ideas:
                origins.setdefault(one, []).append(int(at or candidate))
        old = Document.read(self.skill).ideas
        kept = {one: found for one, found in origins.items() if one in old or len(found) > 1 or not self._dropped(one)}
        if self.payload == "skill_candidates":
            return [{**self._candidate(kept), "sources": sorted({at for found in kept.values() for at in found})}]
        return [{**self._item(idea), "sources": found} for idea, found in kept.items()]

    def kept(self) -> list[str]:
        """Return the ideas of the unprotected text that are still there when it is written anew."""
        given = self.given
        chances = {"TRAP": given.rewritten_harmful, "HINT": given.rewritten_useless}
        ideas = Document.read(regions.unprotected(self.skill)).ideas
        return [one for one in ideas if self.random.random() >= chances.get(one.split()[0], given.rewritten_right)]

    def _item(self, idea: str) -> dict[str, Any]:
        if self.payload == "edits":
            return {"op": "append", "target": "", "content": f"- {idea}."}
        return {"type": "add_rule", "title": "", "motivation": "", "instruction": f"- {idea}."}

    def _candidate(self, ideas: Iterable[str]) -> dict[str, Any]:
        return {"title": "", "change_summary": [], "new_skill": written(ideas)}

    def _dropped(self, idea: str) -> bool:
        doubt = self.given.drop_right if idea.startswith("RULE") else self.given.drop_wrong
        return self.random.random() < doubt


def written(ideas: Iterable[str]) -> str:
    """Return the document that says *ideas*."""
    return "\n".join(f"- {idea}." for idea in ideas)

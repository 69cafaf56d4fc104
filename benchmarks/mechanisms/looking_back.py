"""What the scripted teacher does at the end of an epoch: guidance, notes to itself, cleaning up."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any

from benchmarks.mechanisms.assumptions import Assumptions
from benchmarks.mechanisms.ideas import Insight, wrong
from benchmarks.mechanisms.world import Document, Truth
from benchmarks.mechanisms.writing import section, written

SURE = 0.95
KIND = re.compile(r"^### Task \S+\s+```\ntask \d+ of kind (\w+)", re.M)


@dataclass(frozen=True)
class Comparison:
    """The same tasks with the skill before and now, as the writer of guidance is shown them."""

    asked: str
    truth: Truth
    random: Random

    def guidance(self) -> dict[str, Any]:
        """Return what it said before, what to ignore, and reminders or ideas of rules for what keeps failing."""
        lines = list(Document.read(section(self.asked, "The guidance so far")).ideas)
        lines += self._repairs() + self._persistent()
        return {"reasoning": "", "slow_update_content": written(dict.fromkeys(lines))}

    def _repairs(self) -> list[str]:
        before, now = (Document.read(section(self.asked, f"The skill {one}")) for one in ("before", "now"))
        new = sorted(now.traps - before.traps)
        lines = []
        for kind, count in self._kinds("regressed").most_common() if self.truth.given.traced else ():
            guilty = [trap for trap in new if kind in self.truth.harmed(trap)]
            seen = self.random.random() < 1 - (1 - self.truth.given.traced) ** count
            if guilty and seen:
                lines.append(f"IGNORE {guilty[0]}")
            elif not guilty and self.random.random() < self.truth.given.alarm:
                lines.append(wrong(kind, self.random, harmful=0.0, ideas=self.truth.given.ideas))
        return lines

    def _persistent(self) -> list[str]:
        given = self.truth.given
        insight = Insight(self.truth, given.hit, given.harmful)
        skill = Document.read(section(self.asked, "The skill now"))
        lines = []
        for kind, count in self._kinds("persistent_fail").most_common(given.guidance):
            if count < given.persistent:
                continue
            guilty = [trap for trap in sorted(skill.traps) if kind in self.truth.harmed(trap)]
            idea = insight.idea(kind, self.random)
            if guilty and self.random.random() < 1 - (1 - given.blamed) ** count:
                lines.append(f"IGNORE {guilty[0]}")
            else:
                lines.append(f"REMEMBER {kind}" if kind in skill.rules else idea)
        return lines

    def _kinds(self, category: str) -> Counter[str]:
        found = re.search(rf"^## {category}$(.*?)(?=^## |\Z)", self.asked, re.M | re.S)
        return Counter(KIND.findall(found[1] if found else ""))


def lesson(asked: str, random: Random, given: Assumptions) -> dict[str, Any]:
    """Return notes that are useful the more often the more tasks changed and the better the earlier notes were."""
    changed = sum(int(n) for n in re.findall(r"^- (?:improved|regressed): (\d+)", asked, re.M))
    kept = given.lesson_kept * ("LESSON GOOD" in section(asked, "Your notes so far"))
    sure = min(SURE, given.lesson_good + given.lesson_evidence * changed + kept)
    word = "GOOD" if random.random() < sure else "BAD"
    return {"reasoning": "", "meta_skill_content": f"LESSON {word}"}


def cleaning(asked: str, random: Random, given: Assumptions) -> dict[str, Any]:
    """Return edits that take out lines of the skill, the harmful and the useless ones more often than rules."""
    chances = {"TRAP": given.clean_harmful, "HINT": given.clean_useless, "RULE": given.clean_right}
    ideas = Document.read(section(asked, "The skill as it is")).ideas
    gone = [idea for idea in ideas if random.random() < chances.get(idea.split()[0], 0.0)]
    edits = [{"op": "delete", "target": f"- {idea}.", "content": ""} for idea in gone]
    return {"meta_summary": "", "patch": {"reasoning": "cleaning up", "edits": edits}}

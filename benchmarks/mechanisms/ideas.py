"""How the scripted teacher comes to its ideas: from failed tasks, from solved ones, by merging, by comparing epochs."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any

from benchmarks.mechanisms import assumptions as given
from benchmarks.mechanisms.world import Document

ATTEMPTS = 3
ITEM = re.compile(r"^\[(\d+)\] append, support (\d+), .*?\n```\n- (.*?)\.\n```", re.M | re.S)


def section(text: str, heading: str) -> str:
    """Return the part of *text* under the first-level heading that begins with *heading*; empty when there is none."""
    found = re.search(rf"^# {re.escape(heading)}.*?$(.*?)(?=^# |\Z)", text, re.M | re.S)
    return found[1] if found else ""


def append(idea: str) -> dict[str, Any]:
    """Return the edit that adds *idea*."""
    return {"op": "append", "target": "", "content": f"- {idea}."}


def wrong(kind: str, random: Random, *, harmful: float = given.HARMFUL) -> str:
    """Return a wrong idea about *kind*: a harmful one with chance *harmful*, else a useless one."""
    word = "TRAP" if random.random() < harmful else "HINT"
    return f"{word} {kind} {random.randrange(given.IDEAS)}"


@dataclass(frozen=True)
class Analyst:
    """One analysis: what was shown, whether lapses are asked for, what was rejected before, and its chance."""

    asked: str
    aware: bool
    rejected: frozenset[str]
    random: Random

    def failures(self) -> dict[str, Any]:
        """Return the reply to failed tasks: an idea for each kind among them, the most frequent first."""
        shown = Counter(re.findall(r"of kind (\w+)", self.asked))
        skill = Document.read(section(self.asked, "The skill as it is"))
        edits, notes = [], []
        for kind, _ in shown.most_common():
            if kind not in skill.rules:
                idea = self._new(kind, skill)
            elif self.aware and self.random.random() < given.NOTICE:
                notes.append(f"REMEMBER {kind}.")
                continue
            else:
                idea = wrong(kind, self.random) if self.random.random() < given.RESTATE else ""
            if idea and idea not in skill.ideas:
                edits.append(append(idea))
        patterns = [{"failure_type": kind, "count": count, "description": ""} for kind, count in shown.most_common()]
        return self._reply(edits, notes) | {"failure_summary": patterns}

    def successes(self) -> dict[str, Any]:
        """Return the reply to solved tasks: one idea at most, seldom a good one."""
        skill = Document.read(section(self.asked, "The skill as it is"))
        kind = self.random.choice(re.findall(r"of kind (\w+)", self.asked))
        number = self.random.randrange(given.IDEAS)
        ideas = ("" if kind in skill.rules else f"RULE {kind}", f"TRAP {kind} {number}", f"HINT {kind} {number}", "")
        shares = (given.SUCCESS_RULE, given.SUCCESS_HARMFUL, given.SUCCESS_USELESS)
        idea = self.random.choices(ideas, (*shares, 1 - sum(shares)))[0]
        return self._reply([append(idea)] if idea and idea not in skill.ideas else [], []) | {"success_patterns": []}

    def _new(self, kind: str, skill: Document) -> str:
        lesson = section(self.asked, "What you learnt")
        hit = given.HIT + given.PROBED * ("</analysis>" in self.asked)
        hit += given.LESSON_GAIN * ("LESSON GOOD" in lesson) - given.LESSON_LOSS * ("LESSON BAD" in lesson)
        draws = [self._draw(kind, hit) for _ in range(ATTEMPTS)]
        if self.random.random() >= given.HEED:
            return draws[0]
        return next((one for one in draws if one not in self.rejected and one not in skill.ideas), "")

    def _draw(self, kind: str, hit: float) -> str:
        return f"RULE {kind}" if self.random.random() < hit else wrong(kind, self.random)

    def _reply(self, edits: list[dict[str, Any]], notes: list[str]) -> dict[str, Any]:
        said: dict[str, Any] = {"patch": {"reasoning": "", "edits": edits}}
        return {**said, "appendix_notes": notes} if self.aware else said


def merged(asked: str, random: Random) -> dict[str, Any]:
    """Return the ideas of the pool, each once; one that a single analyst had may be dropped."""
    origins: dict[str, list[int]] = {}
    for at, _, idea in ITEM.findall(section(asked, "The proposed edits")):
        origins.setdefault(idea, []).append(int(at))
    kept = [idea for idea, found in origins.items() if len(found) > 1 or random.random() >= _doubt(idea)]
    return {"reasoning": "", "edits": [{**append(idea), "sources": origins[idea]} for idea in kept]}


def _doubt(idea: str) -> float:
    return given.DROP_RIGHT if idea.startswith("RULE") else given.DROP_WRONG


def reminders_and_rules(asked: str, random: Random) -> dict[str, Any]:
    """Return guidance: what it said before, and on each kind that keeps failing a reminder, or an idea of its rule."""
    failing = re.search(r"^## persistent_fail$(.*?)(?=^## |\Z)", asked, re.M | re.S)
    kinds = Counter(re.findall(r"^### Task \S+\s+```\ntask \d+ of kind (\w+)", failing[1] if failing else "", re.M))
    skill = Document.read(section(asked, "The skill now"))
    lines = list(Document.read(section(asked, "The guidance so far")).ideas)
    for kind, count in kinds.most_common(given.GUIDANCE):
        if count < given.PERSISTENT:
            continue
        known = kind in skill.rules
        hit = random.random() < given.HIT
        lines.append(f"REMEMBER {kind}" if known else f"RULE {kind}" if hit else wrong(kind, random))
    content = "\n".join(f"- {line}." for line in dict.fromkeys(lines))
    return {"reasoning": "", "slow_update_content": content}

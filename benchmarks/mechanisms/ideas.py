"""How the scripted teacher comes to its ideas: from failed tasks, from solved ones, by merging."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any

from benchmarks.mechanisms.assumptions import Assumptions
from benchmarks.mechanisms.world import Document, Truth, chance

ATTEMPTS = 3
ITEM = re.compile(r"^\[(\d+)\] append, support (\d+), .*?\n```\n- (.*?)\.\n```", re.M | re.S)


def section(text: str, heading: str) -> str:
    """Return the part of *text* under the first-level heading that begins with *heading*; empty when there is none."""
    found = re.search(rf"^# {re.escape(heading)}.*?$(.*?)(?=^# |\Z)", text, re.M | re.S)
    return found[1] if found else ""


def append(idea: str) -> dict[str, Any]:
    """Return the edit that adds *idea*."""
    return {"op": "append", "target": "", "content": f"- {idea}."}


def wrong(kind: str, random: Random, *, harmful: float, ideas: int) -> str:
    """Return one of the wrong *ideas* about *kind*: a harmful one with chance *harmful*, else a useless one."""
    word = "TRAP" if random.random() < harmful else "HINT"
    return f"{word} {kind} {random.randrange(ideas)}"


@dataclass(frozen=True)
class Insight:
    """What the teacher makes of a kind of task, with the chances it has at the time."""

    truth: Truth
    hit: float
    harmful: float

    def idea(self, kind: str, random: Random) -> str:
        """Return an idea of the rule of *kind*, the right one or a wrong one."""
        if random.random() < self.hit:
            return f"RULE {kind}"
        return wrong(kind, random, harmful=self.harmful, ideas=self.truth.given.ideas)

    def conviction(self, kind: str) -> str:
        """Return the idea it always has first: a function of the world, *kind* and the chances alone."""
        return self.idea(kind, chance(self.truth.seed, "conviction", kind))


@dataclass(frozen=True)
class Analyst:
    """One analysis: what was shown, whether lapses are asked for, what was rejected before, and its chance."""

    asked: str
    aware: bool
    rejected: frozenset[str]
    truth: Truth
    random: Random

    @property
    def given(self) -> Assumptions:
        """The numbers of this world."""
        return self.truth.given

    def failures(self) -> dict[str, Any]:
        """Return the reply to failed tasks: an idea for each kind among them, the most frequent first."""
        shown = Counter(re.findall(r"of kind (\w+)", self.asked))
        skill = Document.read(section(self.asked, "The skill as it is"))
        insight = self._insight()
        edits, notes = [], []
        for kind, _ in shown.most_common():
            if kind not in skill.rules:
                idea = self._new(kind, skill, insight)
            elif self.aware and self.random.random() < self.given.notice:
                notes.append(f"REMEMBER {kind}.")
                continue
            else:
                idea = self._wrong(kind) if self.random.random() < self.given.restate else ""
            if idea and idea not in skill.ideas:
                edits.append(append(idea))
        patterns = [{"failure_type": kind, "count": count, "description": ""} for kind, count in shown.most_common()]
        return self._reply(edits, notes) | {"failure_summary": patterns}

    def successes(self) -> dict[str, Any]:
        """Return the reply to solved tasks: one idea at most, seldom a good one."""
        given = self.given
        skill = Document.read(section(self.asked, "The skill as it is"))
        kind = self.random.choice(re.findall(r"of kind (\w+)", self.asked))
        number = self.random.randrange(given.ideas)
        ideas = ("" if kind in skill.rules else f"RULE {kind}", f"TRAP {kind} {number}", f"HINT {kind} {number}", "")
        shares = (given.success_rule, given.success_harmful, given.success_useless)
        idea = self.random.choices(ideas, (*shares, 1 - sum(shares)))[0]
        return self._reply([append(idea)] if idea and idea not in skill.ideas else [], []) | {"success_patterns": []}

    def _insight(self) -> Insight:
        given, lesson = self.given, section(self.asked, "What you learnt")
        good, bad = "LESSON GOOD" in lesson, "LESSON BAD" in lesson
        hit = given.hit + given.probed * ("</analysis>" in self.asked)
        hit += given.lesson_gain * good - given.lesson_loss * bad
        return Insight(self.truth, hit, given.harmful - given.lesson_care * good)

    def _new(self, kind: str, skill: Document, insight: Insight) -> str:
        draws = [insight.idea(kind, self.random) for _ in range(ATTEMPTS)]
        if self.given.conviction and self.random.random() < self.given.conviction:
            draws.insert(0, insight.conviction(kind))
        if self.random.random() >= self.given.heed:
            return draws[0]
        return next((one for one in draws if one not in self.rejected and one not in skill.ideas), "")

    def _wrong(self, kind: str) -> str:
        return wrong(kind, self.random, harmful=self.given.harmful, ideas=self.given.ideas)

    def _reply(self, edits: list[dict[str, Any]], notes: list[str]) -> dict[str, Any]:
        if self.given.slip and self.random.random() < self.given.slip:
            edits = [{**edit, "op": "replace", "target": "a line that is not there"} for edit in edits]
        said: dict[str, Any] = {"patch": {"reasoning": "", "edits": edits}}
        return {**said, "appendix_notes": notes} if self.aware else said


def merged(asked: str, random: Random, given: Assumptions) -> dict[str, Any]:
    """Return the ideas of the pool, each once; one that a single analyst had may be dropped."""
    origins: dict[str, list[int]] = {}
    for at, _, idea in ITEM.findall(section(asked, "The proposed edits")):
        origins.setdefault(idea, []).append(int(at))

    def doubt(idea: str) -> float:
        return given.drop_right if idea.startswith("RULE") else given.drop_wrong

    kept = [idea for idea, found in origins.items() if len(found) > 1 or random.random() >= doubt(idea)]
    return {"reasoning": "", "edits": [{**append(idea), "sources": origins[idea]} for idea in kept]}

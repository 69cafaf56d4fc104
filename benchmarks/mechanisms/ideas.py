"""How the scripted teacher comes to its ideas: from failed tasks and from solved ones."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any

from benchmarks.mechanisms.assumptions import Assumptions
from benchmarks.mechanisms.world import Document, Truth, chance
from benchmarks.mechanisms.writing import Writer, payload, section

ATTEMPTS = 3


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
    """One analysis: what was told and asked, what was rejected before, and its chance."""

    told: str
    asked: str
    rejected: frozenset[str]
    truth: Truth
    random: Random

    @property
    def given(self) -> Assumptions:
        """The numbers of this world."""
        return self.truth.given

    @property
    def aware(self) -> bool:
        """Whether gaps of the skill are to be told from lapses."""
        return "appendix_notes" in self.told

    def failures(self) -> dict[str, Any]:
        """Return the reply to failed tasks: an idea for each kind among them, the most frequent first."""
        shown = Counter(re.findall(r"of kind (\w+)", self.asked))
        skill = Document.read(section(self.asked, "The skill as it is"))
        insight = self._insight()
        ideas, notes = [], []
        for kind, _ in shown.most_common():
            if kind not in skill.rules:
                idea = self._new(kind, skill, insight)
            elif self.aware and self.random.random() < self.given.notice:
                notes.append(f"REMEMBER {kind}.")
                continue
            else:
                idea = self._wrong(kind) if self.random.random() < self.given.restate else ""
            if idea and idea not in skill.ideas:
                ideas.append(idea)
        patterns = [{"failure_type": kind, "count": count, "description": ""} for kind, count in shown.most_common()]
        return self._reply(ideas, notes) | {"failure_summary": patterns}

    def successes(self) -> dict[str, Any]:
        """Return the reply to solved tasks: one idea at most, seldom a good one."""
        given = self.given
        skill = Document.read(section(self.asked, "The skill as it is"))
        kind = self.random.choice(re.findall(r"of kind (\w+)", self.asked))
        number = self.random.randrange(given.ideas)
        ideas = ("" if kind in skill.rules else f"RULE {kind}", f"TRAP {kind} {number}", f"HINT {kind} {number}", "")
        shares = (given.success_rule, given.success_harmful, given.success_useless)
        idea = self.random.choices(ideas, (*shares, 1 - sum(shares)))[0]
        return self._reply([idea] if idea and idea not in skill.ideas else [], []) | {"success_patterns": []}

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

    def _reply(self, ideas: list[str], notes: list[str]) -> dict[str, Any]:
        writer = Writer(payload(self.told), section(self.asked, "The skill as it is"), self.given, self.random)
        items = writer.changes(ideas)
        if writer.payload == "edits" and self.given.slip and self.random.random() < self.given.slip:
            items = [{**item, "op": "replace", "target": "a line that is not there"} for item in items]
        said: dict[str, Any] = {"patch": {"reasoning": "", writer.payload: items}}
        return {**said, "appendix_notes": notes} if self.aware else said

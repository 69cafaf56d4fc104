"""The student and the teacher of a world as scripts: replies are functions of the seed and the request."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from reflact.types import ChatRequest

from benchmarks.mechanisms.ideas import Analyst
from benchmarks.mechanisms.looking_back import Comparison, cleaning, lesson
from benchmarks.mechanisms.world import Document, Truth, chance
from benchmarks.mechanisms.writing import Writer, payload, section, written

REFUTED = re.compile(r"^\d+\. refuted$(.*?)(?=^\d+\. |^#|\Z)", re.M | re.S)
PROBE = "Say in <analysis></analysis> what you take the task for."


@dataclass(frozen=True)
class Obedient:
    """A student that follows the rules it is given, more or less."""

    truth: Truth

    def __call__(self, request: ChatRequest) -> str:
        """Return the right answer with the chance that the truth knows."""
        asked = request.messages[-1].text
        skill = request.messages[0].text if len(request.messages) > 1 else ""
        found = re.match(r"task (\d+) of kind (\w+)", asked)
        if found is None:
            raise ValueError(f"no task of this world: {asked!r}")
        right = self._draw(found[1], skill, asked, request.repeat) < self.truth.right(found[2], Document.read(skill))
        opened = "<analysis>by its look</analysis>\n" if PROBE in asked else ""
        return f"{opened}{'done' if right else 'lost'} {found[1]}"

    def _draw(self, number: str, skill: str, asked: str, repeat: int) -> float:
        """Return the throw (0..1): that of the task, or one anew for this skill and repeat."""
        anew = chance(self.truth.seed, "student", skill, asked, repeat)
        thrown = anew.random()
        if anew.random() < self.truth.given.steadiness:
            return chance(self.truth.seed, "task", number).random()
        return thrown


@dataclass(frozen=True)
class Insightful:
    """A teacher that is right sometimes, and does not see what is named in *blind*: `buffer`, `support`."""

    truth: Truth
    blind: frozenset[str] = frozenset()

    def __call__(self, request: ChatRequest) -> str:
        """Return the reply of the stage as JSON."""
        texts = [one.text for one in request.messages]
        random = chance(self.truth.seed, request.stage, *texts)
        given = self.truth.given
        stages: Mapping[str, Callable[[str, Random], dict[str, Any]]] = {
            "analyst": lambda asked, random: self._analyst(texts[0], asked, random),
            "merge": lambda asked, random: self._merge(texts[0], asked, random),
            "ranking": self._ranking,
            "lr_autonomous": _rate,
            "rewrite": self._rewrite,
            "slow_update": lambda asked, random: Comparison(asked, self.truth, random).guidance(),
            "meta_skill": lambda asked, random: lesson(asked, random, given),
            "meta_reflect": lambda asked, random: cleaning(asked, random, given),
            "deep_probe": lambda *_: {"reasoning": "", "probe_instruction": PROBE},
        }
        return json.dumps(stages[request.stage](texts[1], random))

    def _analyst(self, told: str, asked: str, random: Random) -> dict[str, Any]:
        buffer = "" if "buffer" in self.blind else section(asked, "Earlier steps")
        rejected = Document.read("".join(REFUTED.findall(buffer))).ideas
        analyst = Analyst(told, asked, frozenset(rejected), self.truth, random)
        return analyst.failures() if re.search(r"^# \d+ failed tasks", asked, re.M) else analyst.successes()

    def _merge(self, told: str, asked: str, random: Random) -> dict[str, Any]:
        writer = Writer(payload(told), section(asked, "The skill as it is"), self.truth.given, random)
        return {"reasoning": "", writer.payload: writer.merged(asked)}

    def _rewrite(self, asked: str, random: Random) -> dict[str, Any]:
        writer = Writer("skill_candidates", section(asked, "The skill as it is"), self.truth.given, random)
        new = Document.read(section(asked, r"\d+ suggestions")).ideas
        return {"reasoning": "", "change_summary": [], "new_skill": written([*writer.kept(), *new])}

    def _ranking(self, asked: str, random: Random) -> dict[str, Any]:
        pool = re.findall(r"^\[(\d+)\] .*\((?:priority \w+, )?support (\d+)", section(asked, "The pool"), re.M)
        sees = "support" not in self.blind
        order = sorted(pool, key=lambda one: (-int(one[1]) * sees, random.random()))
        wanted = re.search(r"^Choose (\d+)\.", asked, re.M)
        most = int(wanted[1]) if wanted else 1
        return {"reasoning": "by support", "selected_indices": [int(at) for at, _ in order[:most]]}


def _rate(asked: str, random: Random) -> dict[str, Any]:
    support = [int(one) for one in re.findall(r"\(support (\d+)", section(asked, "The proposed changes"))]
    founded = sum(2 * one >= max(support) for one in support)
    return {"learning_rate": founded, "reasoning": "the well founded ones", "confidence": "medium", "risk_notes": []}

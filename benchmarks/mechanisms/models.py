"""The student and the teacher of the world as scripts: replies are functions of the seed and the request."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from reflact.types import ChatRequest

from benchmarks.mechanisms import assumptions as given
from benchmarks.mechanisms.ideas import Analyst, merged, reminders_and_rules, section
from benchmarks.mechanisms.world import Document, Truth, chance

PROBE = "Say in <analysis></analysis> what you take the task for."


@dataclass(frozen=True)
class Obedient:
    """A student that follows the rules it is given, more or less."""

    truth: Truth

    def __call__(self, request: ChatRequest) -> str:
        """Return the right answer with the chance that the truth knows, drawn anew for every skill and repeat."""
        asked = request.messages[-1].text
        skill = request.messages[0].text if len(request.messages) > 1 else ""
        found = re.match(r"task (\d+) of kind (\w+)", asked)
        if found is None:
            raise ValueError(f"no task of this world: {asked!r}")
        draw = chance(self.truth.seed, "student", skill, asked, request.repeat).random()
        right = draw < self.truth.right(found[2], Document.read(skill))
        opened = "<analysis>by its look</analysis>\n" if PROBE in asked else ""
        return f"{opened}{'done' if right else 'lost'} {found[1]}"


@dataclass(frozen=True)
class Insightful:
    """A teacher that is right sometimes. With *heeds* off it does not read what was rejected before."""

    truth: Truth
    heeds: bool = True

    def __call__(self, request: ChatRequest) -> str:
        """Return the reply of the stage as JSON."""
        texts = [one.text for one in request.messages]
        random = chance(self.truth.seed, request.stage, *texts)
        stages: Mapping[str, Callable[[str, str, Random], dict[str, Any]]] = {
            "analyst": self._analyst,
            "merge": lambda _, asked, random: merged(asked, random),
            "ranking": _ranking,
            "lr_autonomous": _rate,
            "slow_update": lambda _, asked, random: reminders_and_rules(asked, random),
            "meta_skill": _lesson,
            "meta_reflect": _cleaning,
            "deep_probe": lambda *_: {"reasoning": "", "probe_instruction": PROBE},
        }
        return json.dumps(stages[request.stage](texts[0], texts[1], random))

    def _analyst(self, told: str, asked: str, random: Random) -> dict[str, Any]:
        rejected = Document.read(section(asked, "Earlier steps")).ideas if self.heeds else ()
        analyst = Analyst(asked, aware="appendix_notes" in told, rejected=frozenset(rejected), random=random)
        return analyst.failures() if re.search(r"^# \d+ failed tasks", asked, re.M) else analyst.successes()


def _ranking(told: str, asked: str, random: Random) -> dict[str, Any]:
    pool = re.findall(r"^\[(\d+)\] .*\(support (\d+)", section(asked, "The pool"), re.M)
    order = sorted(pool, key=lambda one: (-int(one[1]), random.random()))
    wanted = re.search(r"^Choose (\d+)\.", asked, re.M)
    most = int(wanted[1]) if wanted else 1
    return {"reasoning": "by support", "selected_indices": [int(at) for at, _ in order[:most]]}


def _rate(told: str, asked: str, random: Random) -> dict[str, Any]:
    support = [int(one) for one in re.findall(r"\(support (\d+)", section(asked, "The proposed changes"))]
    founded = sum(2 * one >= max(support) for one in support)
    return {"learning_rate": founded, "reasoning": "the well founded ones", "confidence": "medium", "risk_notes": []}


def _lesson(told: str, asked: str, random: Random) -> dict[str, Any]:
    word = "GOOD" if random.random() < given.LESSON_GOOD else "BAD"
    return {"reasoning": "", "meta_skill_content": f"LESSON {word}"}


def _cleaning(told: str, asked: str, random: Random) -> dict[str, Any]:
    chances = {"TRAP": given.CLEAN_HARMFUL, "HINT": given.CLEAN_USELESS, "RULE": given.CLEAN_RIGHT, "REMEMBER": 0.0}
    ideas = Document.read(section(asked, "The skill as it is")).ideas
    gone = [idea for idea in ideas if random.random() < chances[idea.split()[0]]]
    edits = [{"op": "delete", "target": f"- {idea}.", "content": ""} for idea in gone]
    return {"meta_summary": "", "patch": {"reasoning": "cleaning up", "edits": edits}}

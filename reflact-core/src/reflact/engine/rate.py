"""The learning rate: how many of the merged items a step may keep. A schedule, no limit, or the teacher's decision."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from reflact.contracts import UpdateMode
from reflact.engine.schedule import Scheduler, edit_budget
from reflact.llm.ask import NoAnswer, Teacher
from reflact.stages.replies import RateChoice
from reflact.stages.score import score
from reflact.store.codec import json_codec, plain
from reflact.store.files import read
from reflact.store.folder import Folder
from reflact.types import Batch, Proposal, Rollout, Skill, Usage

DECISION = json_codec(dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a step knows when it has to decide."""

    batch: Batch
    merged: Proposal
    rollouts: tuple[Rollout, ...]
    skill: Skill
    memory: str
    at: Folder


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The number of items to keep, None for all, and what it took to decide."""

    items: int | None
    usage: Usage = Usage()  # noqa: RUF009


Rate = Callable[[Question], Budget]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheduled:
    """A pure function of the step's number."""

    total: int
    high: int
    low: int
    scheduler: Scheduler

    def __call__(self, question: Question) -> Budget:
        """Return the schedule's budget."""
        number = question.batch.step
        return Budget(
            items=edit_budget(number, total=self.total, high=self.high, low=self.low, scheduler=self.scheduler)
        )


def unlimited(question: Question) -> Budget:
    """Return no limit: every merged item is kept."""
    return Budget(items=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Autonomous:
    """Asks the teacher how many; writes `lr_decision.json` and `lr_history.jsonl`. Without an answer *high* holds."""

    teacher: Teacher
    mode: UpdateMode
    high: int
    root: Folder

    def __call__(self, question: Question) -> Budget:
        """Return the teacher's number, at most the number of items there are."""
        if not question.merged.items:
            return Budget(items=0)
        decision = question.at.keep("lr_decision.json", DECISION, self._decide, question)
        entry = {"step": question.batch.step, "epoch": question.batch.epoch, **decision}
        self.root.export("lr_history.jsonl", _appended(self.root, entry))
        return Budget(items=decision["learning_rate"], usage=Usage(**decision["usage"]))

    def _decide(self, question: Question) -> dict[str, Any]:
        available = len(question.merged.items)
        measured = score(question.rollouts)
        try:
            answer = self.teacher.ask(
                "lr_autonomous",
                RateChoice,
                stage="lr_autonomous",
                skill=question.skill.text,
                memory=question.memory,
                rollout_n=measured.n,
                rollout_hard=measured.hard,
                rollout_soft=measured.soft,
                pool=[(index, self.mode.describe(item)) for index, item in enumerate(question.merged.items)],
            )
        except NoAnswer as error:
            raw, told, usage, fallback = self.high, {"error": str(error)}, error.usage, True
        else:
            raw, usage, fallback = answer.value.learning_rate, answer.usage, False
            told = answer.value.model_dump(exclude={"learning_rate"})
        return {
            "learning_rate": min(raw, available),
            "raw_learning_rate": raw,
            "available_update_items": available,
            "clamped": raw > available,
            "fallback": fallback,
            **told,
            "usage": plain(usage),
        }


def _appended(root: Folder, entry: dict[str, Any]) -> str:
    """Return the history up to *entry*'s step with *entry* as its last line, the same however often it is written."""
    file = root.path / "lr_history.jsonl"
    old: Sequence[str] = read(file).splitlines() if file.exists() else ()
    kept = [line for line in old if json.loads(line)["step"] < entry["step"]]
    return "".join(f"{line}\n" for line in (*kept, json.dumps(entry, ensure_ascii=False)))

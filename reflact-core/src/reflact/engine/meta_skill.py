"""Meta skill: what the teacher learnt about editing this skill; its own memory, never part of the skill."""

from dataclasses import dataclass, replace
from typing import Any

from reflact.engine.epoch import EpochEnd
from reflact.engine.longitudinal import Comparison
from reflact.llm.ask import NoAnswer, Teacher
from reflact.stages.pairs import Pair, counts, grouped
from reflact.stages.replies import Lesson
from reflact.store.codec import json_codec, plain
from reflact.types import Skill

FOLDER = "meta_skill"
SAID = json_codec(dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class MetaSkill:
    """The epoch-level stage. A failed call leaves the older memory in force."""

    teacher: Teacher
    compare: Comparison

    def __call__(self, end: EpochEnd) -> EpochEnd:
        """Return *end* with the teacher's memory renewed."""
        at = end.folder(FOLDER)
        if end.state.previous is None:
            at.keep("meta_skill_result.json", SAID, lambda: {"action": "skip_first_epoch", "epoch": end.epoch})
            return end
        previous = end.state.previous
        pairs = end.pairs
        if pairs is None:
            pairs = self.compare(previous, end.after_steps, end.epoch, at)
        old = end.state.memory.meta_skill
        said = at.keep("meta_skill_result.json", SAID, self._ask, previous, end.after_steps, old, pairs)
        memory = replace(end.state.memory, meta_skill=str(said["meta_skill_content"]).strip() or old)
        return replace(end, pairs=pairs, state=replace(end.state, memory=memory))

    def _ask(self, previous: Skill, current: Skill, memory: str, pairs: tuple[Pair, ...]) -> dict[str, Any]:
        try:
            answer = self.teacher.ask(
                "meta_skill",
                Lesson,
                stage="meta_skill",
                previous_skill=previous.text,
                skill=current.text,
                previous_memory=memory,
                counts=counts(pairs),
                groups=grouped(pairs),
            )
        except NoAnswer as error:
            said = {"reasoning": str(error), "meta_skill_content": "", "usage": plain(error.usage)}
            return {**said, "action": "no_content"}
        action = "write_meta_skill" if answer.value.meta_skill_content.strip() else "no_content"
        return {**answer.value.model_dump(), "usage": plain(answer.usage), "action": action}

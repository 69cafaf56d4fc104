"""Slow update: guidance drawn from comparing two epochs, written into a region of the skill, and gated like a step."""

from dataclasses import dataclass, replace
from typing import Any

from reflact.engine.consider import adopt, consider
from reflact.engine.epoch import EpochEnd
from reflact.engine.longitudinal import Comparison, summary
from reflact.engine.record import selection
from reflact.engine.stages import Stages
from reflact.llm.ask import NoAnswer, Teacher
from reflact.skill import regions
from reflact.stages.pairs import Pair, counts, grouped
from reflact.stages.replies import Guidance
from reflact.store.codec import json_codec, plain, to_text
from reflact.store.folder import Folder
from reflact.types import RunState, Scored, Skill

FOLDER = "slow_update"
SAID = json_codec(dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class SlowUpdate:
    """The epoch-level stage. Epoch 1 has nothing to compare with and only makes room for the guidance."""

    stages: Stages
    teacher: Teacher
    compare: Comparison

    def __call__(self, end: EpochEnd) -> EpochEnd:
        """Return *end* with the guidance in the current skill, if the gate let it in."""
        at = end.folder(FOLDER)
        if end.state.previous is None:
            at.export("slow_result.json", to_text({"action": "inject_placeholder", "epoch": end.epoch}))
            return replace(end, state=with_room(end.state))
        current = end.state.current.skill
        pairs = self.compare(end.state.previous, current, end.epoch, at)
        said = at.keep("guidance.json", SAID, self._ask, end.state.previous, current, pairs)
        content = str(said["slow_update_content"]).strip()
        result: dict[str, Any] = {**said, **summary(pairs), "update_origin": "slow_update_momentum"}
        state = end.state
        candidate = Skill(regions.write(current.text, regions.SLOW_UPDATE, content)) if content else current
        if candidate == current:
            result["action"] = "no_content"
        else:
            state = self._try(candidate, end, at, result)
        at.export("slow_result.json", to_text(result))
        return replace(end, state=state, pairs=pairs)

    def _try(self, candidate: Skill, end: EpochEnd, at: Folder, result: dict[str, Any]) -> RunState:
        at.export("candidate_skill.md", candidate.text)
        origin = f"slow_update_epoch_{end.epoch:02d}"
        trial = consider(candidate, origin=origin, state=end.state, stages=self.stages, at=at)
        result |= {"action": trial.decision.action, "candidate_hash": candidate.digest, **selection(trial)}
        return adopt(end.state, trial, best_step=end.state.step)

    def _ask(self, previous: Skill, current: Skill, pairs: tuple[Pair, ...]) -> dict[str, Any]:
        try:
            answer = self.teacher.ask(
                "slow_update",
                Guidance,
                stage="slow_update",
                previous_skill=previous.text,
                skill=current.text,
                previous_guidance=regions.read(current.text, regions.SLOW_UPDATE) or "",
                counts=counts(pairs),
                groups=grouped(pairs),
            )
        except NoAnswer as error:
            return {"reasoning": str(error), "slow_update_content": "", "usage": plain(error.usage)}
        return {**answer.value.model_dump(), "usage": plain(answer.usage)}


def with_room(state: RunState) -> RunState:
    """Return *state* with an empty region in its skills: no new skill, so its scores stay what they are."""
    current = _roomy(state.current)
    best = current if state.best.skill == state.current.skill else state.best
    known = state.scores.get(state.current.skill.digest)
    scores = {**state.scores, current.skill.digest: known} if known else state.scores
    return replace(state, current=current, best=best, scores=scores)


def _roomy(scored: Scored) -> Scored:
    if regions.read(scored.skill.text, regions.SLOW_UPDATE) is not None:
        return scored
    return replace(scored, skill=Skill(regions.write(scored.skill.text, regions.SLOW_UPDATE, "")))

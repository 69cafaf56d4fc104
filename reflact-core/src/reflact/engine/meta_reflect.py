"""Meta reflect: higher-level edits drawn from what an epoch accepted and rejected, gated like a step."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from reflact.engine.consider import adopt, consider
from reflact.engine.epoch import EpochEnd
from reflact.engine.record import selection
from reflact.engine.stages import Stages
from reflact.llm.ask import NoAnswer, Teacher
from reflact.skill.regions import without_empty
from reflact.stages.replies import reflection
from reflact.store.codec import json_codec, proposal_codec, to_text
from reflact.types import Proposal, RunState, Skill, Update

FOLDER = "meta_reflect"
UPDATE = json_codec(Update)
ITEM_CHARS = 220


@dataclass(frozen=True, slots=True, kw_only=True)
class MetaReflect:
    """The epoch-level stage."""

    stages: Stages
    teacher: Teacher
    budget: int

    def __call__(self, end: EpochEnd) -> EpochEnd:
        """Return *end* with the edits applied, if the gate let them in, and the summary for the next epoch."""
        if not end.records:
            return end
        at = end.folder(FOLDER)
        skill = end.state.current.skill
        items = proposal_codec(self.stages.mode)
        proposal = at.keep(
            "meta_patch.json", items, self._ask, skill, history(end.records), end.state.memory.meta_summary
        )
        memory = replace(end.state.memory, meta_summary=proposal.note)
        state = replace(end.state, memory=memory)
        result: dict[str, Any] = {
            "meta_summary": proposal.note,
            "reasoning": proposal.reasoning,
            "update_origin": "meta_reflect_momentum",
            "action": "skip_no_patches",
        }
        if proposal.items:
            update = at.keep("update.json", UPDATE, self.stages.update, skill, proposal, "")
            at.export("meta_candidate.md", update.skill.text)
            at.export(f"meta_{self.stages.mode.artifact}", to_text(self.stages.mode.report(update)))
            state = self._try(update, state, end, result)
        at.export("meta_result.json", to_text(result))
        return replace(end, state=state)

    def _try(self, update: Update, state: RunState, end: EpochEnd, result: dict[str, Any]) -> RunState:
        if update.note or without_empty(update.skill.text) == without_empty(state.current.skill.text):
            result["action"] = "skip_no_rewrite" if update.note else "skip_no_change"
            return state
        origin = f"meta_reflect_epoch_{end.epoch:02d}"
        trial = consider(update.skill, origin=origin, state=state, stages=self.stages, at=end.folder(FOLDER))
        result |= {"action": trial.decision.action, "gate_score": trial.score.value, **selection(trial)}
        return adopt(state, trial, best_step=state.step)

    def _ask(self, skill: Skill, story: str, previous: str) -> Proposal:
        mode = self.stages.mode
        try:
            answer = self.teacher.ask(
                "meta_reflect",
                reflection(mode),
                stage="meta_reflect",
                skill=skill.text,
                budget=self.budget,
                history=story,
                previous_summary=previous,
            )
        except NoAnswer as error:
            return Proposal(reasoning=str(error), usage=error.usage, name=FOLDER)
        reply: Any = answer.value
        drafts = getattr(reply.patch, mode.payload)[: self.budget]
        return Proposal(
            items=tuple(mode.item(**draft.model_dump(), sources=(FOLDER,)) for draft in drafts),
            reasoning=reply.patch.reasoning,
            note=reply.meta_summary,
            usage=answer.usage,
            name=FOLDER,
        )


def history(records: Sequence[Mapping[str, Any]]) -> str:
    """Return an epoch's steps as text: what was tried, what the gate said, which failures were seen."""
    return "\n\n".join(map(_step, records))


def _step(entry: Mapping[str, Any]) -> str:
    score = entry.get("candidate_gate_score", entry["current_score"])
    head = f"Step {entry['step']}: {entry['action'].upper()}, gate score {score:.3f}"
    lines = [f"{head}, best so far {entry['best_score']:.3f}"]
    lines += [f"  tried: {text[:ITEM_CHARS]}" for text in entry["selected_items"]] or ["  tried: (nothing)"]
    lines += [f"  failure seen: {one['failure_type']} ({one['count']})" for one in entry["failure_patterns"]]
    lines.append(f"  failed {entry['rollout_n'] - entry['rollout_right']} of {entry['rollout_n']} training tasks")
    return "\n".join(lines)

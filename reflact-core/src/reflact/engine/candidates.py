"""The candidates of a step: made from the selected items and, if asked for, from single proposals; then screened."""

from collections.abc import Sequence
from dataclasses import replace

from reflact.data.ids import safe_id
from reflact.engine.stages import Stages
from reflact.skill.regions import without_empty
from reflact.stages.appendix import with_notes
from reflact.stages.score import score
from reflact.stages.screen import Option, options, screening_tasks
from reflact.store.codec import json_codec
from reflact.store.folder import Folder
from reflact.types import Batch, Memory, Proposal, Rollout, RunState, Update

UPDATE = json_codec(Update)
NOTES_ALONE = "notes"


def candidates(
    batch: Batch,
    rollouts: Sequence[Rollout],
    proposals: Sequence[Proposal],
    chosen: Proposal,
    notes: Sequence[str],
    budget: int | None,
    *,
    state: RunState,
    stages: Stages,
    at: Folder,
) -> tuple[Option, ...]:
    """Return the candidates of the step, *notes* in the appendix of each; several are screened on failed tasks.

    What was on the gate before, and what changes nothing, is no candidate as long as there is another.
    """
    made = [
        _made(name, proposal, notes, state, stages, at)
        for name, proposal in options(chosen, proposals, limit=stages.candidates, budget=budget)
    ]
    if not made and notes:
        skill = with_notes(state.current.skill, notes)
        made = [Option(name=NOTES_ALONE, update=Update(skill=skill), chosen=chosen)]
    fresh = [one for one in made if one.update.skill.digest not in state.scores and changes(one, state)]
    if stages.candidates == 1 or not fresh:
        return tuple(made[:1])
    tasks = screening_tasks([task for part in batch.parts for task in part], rollouts, size=stages.screen_size)
    if len(fresh) == 1 or not tasks:
        return tuple(fresh[:1])
    screened = []
    for one in fresh:
        tried = stages.roll(tasks, one.update.skill, at.sub("screen").sub(safe_id(one.name)), what="screen")
        screened.append(replace(one, right=score(tried).hard * len(tasks), tried=len(tasks), rollouts=tried))
    return tuple(screened)


def changes(option: Option, state: RunState) -> bool:
    """True when the option's skill says something else than the current one."""
    return without_empty(option.update.skill.text) != without_empty(state.current.skill.text)


def _made(name: str, proposal: Proposal, notes: Sequence[str], state: RunState, stages: Stages, at: Folder) -> Option:
    folder = at if stages.candidates == 1 else at.sub("candidates").sub(safe_id(name))
    memory = stages.remember(Memory(steps=state.memory.steps))
    update = folder.keep("update.json", UPDATE, stages.update, state.current.skill, proposal, memory)
    return Option(name=name, update=replace(update, skill=with_notes(update.skill, notes)), chosen=proposal)

"""One step: rollout, reflect, aggregate, select, update, evaluate, gate. Every artifact is named beside its call."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from reflact.data.ids import safe_id
from reflact.engine.progress import shown
from reflact.engine.stages import Stages
from reflact.pool import in_order
from reflact.skill.regions import without_empty
from reflact.stages.digest import digest
from reflact.stages.gate import gate
from reflact.stages.reflect import Minibatch
from reflact.stages.score import score
from reflact.stages.screen import Option, best, options, screening_tasks
from reflact.store.codec import json_codec, proposal_codec, to_text
from reflact.store.folder import Folder
from reflact.types import Batch, Decision, Proposal, Rollout, RunState, Score, Scored, Skill, StepDigest, Update

UPDATE = json_codec(Update)
DECISION = json_codec(Decision)
DIGEST = json_codec(StepDigest)
SCORE = json_codec(Score)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One microbatch: what the student did, and what the teacher made of it."""

    seed: int
    rollouts: tuple[Rollout, ...]
    proposals: tuple[Proposal, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResult:
    """All a step has to tell; the record and the next state are made of it."""

    parts: tuple[Part, ...]
    merged: Proposal
    ranked: Proposal
    chosen: Proposal
    option: Option | None
    tried: tuple[Option, ...]
    selection: Score | None
    selection_rollouts: tuple[Rollout, ...]
    decision: Decision
    digest: StepDigest


def step(batch: Batch, budget: int, state: RunState, *, stages: Stages, at: Folder) -> StepResult:
    """Run one step from *state*; what is already kept in *at* is read instead of made."""
    skill = state.current.skill
    memory = stages.remember(state.memory)
    folders = [at] if len(batch.parts) == 1 else [at.sub(f"batch_{index}") for index in range(len(batch.parts))]
    parts = tuple(_part(batch, index, skill, memory, stages, folder) for index, folder in enumerate(folders))
    rollouts = tuple(one for part in parts for one in part.rollouts)
    proposals = tuple(one for part in parts for one in part.proposals)
    items = proposal_codec(stages.mode)
    merged = at.keep("merged_patch.json", items, stages.aggregate, proposals, skill, memory)
    chosen = at.keep("ranked_edits.json", items, stages.select, merged, skill, budget, memory)
    tried = _candidates(batch, parts, chosen, state, stages, at)
    option = best(tried) if tried else None
    picked = option.chosen if option else chosen
    if option:
        at.export("candidate_skill.md", option.update.skill.text)
        at.export(stages.mode.artifact, to_text(report(option.update)))
    selection: tuple[Rollout, ...] = ()
    measured: Score | None = None
    skipped = _skip(option, state)
    if option and not skipped:
        known = state.scores.get(option.update.skill.digest)
        if known is None:
            selection = stages.roll(
                stages.selection,
                option.update.skill,
                at.sub("selection_eval"),
                what="evaluate",
                bar=state.current.score,
            )
        curtailed = known is None and len(selection) < len(stages.selection)
        measured = at.keep("selection_score.json", SCORE, lambda: known or score(selection, curtailed=curtailed))
    decision = at.keep("decision.json", DECISION, _decide, skipped, option, measured, state, at.path.name)
    entry = at.keep("trajectory_digest.json", DIGEST, digest, batch.step, rollouts, proposals, picked, decision)
    return StepResult(
        parts=parts,
        merged=merged,
        ranked=chosen,
        chosen=picked,
        option=option,
        tried=tried,
        selection=measured,
        selection_rollouts=selection,
        decision=decision,
        digest=entry,
    )


def report(update: Update) -> list[dict[str, Any]]:
    """Return the per-item report as its file holds it."""
    return [
        {
            "op": one.op,
            "target": one.target,
            "content_preview": one.content_preview,
            "status": one.status,
            "index": one.index,
            **({"hint": one.hint} if one.hint else {}),
        }
        for one in update.report
    ]


def _part(batch: Batch, index: int, skill: Skill, memory: str, stages: Stages, at: Folder) -> Part:
    rollouts = stages.roll(batch.parts[index], skill, at.sub("rollout"), what="rollout")
    evidence = stages.evidence(rollouts)
    label = f"batch_{index}/" if len(batch.parts) > 1 else ""
    groups = stages.minibatches(rollouts, batch.seeds[index])
    nested = proposal_codec(stages.mode, nested=True)
    patches = at.sub("patches").silent()

    def analyse(group: Minibatch) -> Proposal:
        return patches.keep(f"{group.name}.json", nested, stages.analyse, group, skill, evidence, memory, label)

    started = time.monotonic()
    with shown(stages.progress, "reflect", len(groups)):
        proposals = in_order(analyse, groups, stages.analyst_workers, done=stages.progress.advance)
    at.tell("patches", started, from_disk=False)
    return Part(seed=batch.seeds[index], rollouts=rollouts, proposals=proposals)


def _candidates(
    batch: Batch,
    parts: Sequence[Part],
    chosen: Proposal,
    state: RunState,
    stages: Stages,
    at: Folder,
) -> tuple[Option, ...]:
    """Return the candidates of the step, screened on tasks the current skill failed if there are several."""
    skill = state.current.skill
    proposals = [one for part in parts for one in part.proposals]
    named = options(chosen, proposals, limit=stages.candidates)
    made = []
    for name, proposal in named:
        folder = at if stages.candidates == 1 else at.sub("candidates").sub(safe_id(name))
        update = folder.keep("update.json", UPDATE, stages.update, skill, proposal)
        made.append(Option(name=name, update=update, chosen=proposal))
    fresh = [
        one
        for one in made
        if one.update.skill.digest not in state.scores
        and without_empty(one.update.skill.text) != without_empty(skill.text)
    ]
    if stages.candidates == 1 or not fresh:
        return tuple(made[:1])
    tasks = screening_tasks(
        [task for part in batch.parts for task in part],
        [one for part in parts for one in part.rollouts],
        size=stages.screen_size,
    )
    if len(fresh) == 1 or not tasks:
        return tuple(fresh[:1])
    screened = []
    for one in fresh:
        rollouts = stages.roll(tasks, one.update.skill, at.sub("screen").sub(safe_id(one.name)), what="screen")
        screened.append(replace(one, right=score(rollouts).hard * len(tasks), tried=len(tasks), rollouts=rollouts))
    return tuple(screened)


def _skip(option: Option | None, state: RunState) -> str:
    """Return why there is nothing to take to the gate, or an empty string."""
    if option is None:
        return "skip_no_patches"
    if without_empty(option.update.skill.text) == without_empty(state.current.skill.text):
        return "skip_no_change"
    return "skip_screened_out" if option.tried and not option.right else ""


def _decide(skipped: str, option: Option | None, measured: Score | None, state: RunState, origin: str) -> Decision:
    if skipped or option is None or measured is None:
        return Decision(action=skipped, candidate=None, current=state.current, best=state.best)
    candidate = Scored(skill=option.update.skill, score=measured.hard, origin=origin)
    return gate(candidate, current=state.current, best=state.best)

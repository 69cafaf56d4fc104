"""One step: rollout, reflect, aggregate, select, update, evaluate, gate. Every artifact is named beside its call."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from reflact.engine.candidates import candidates, changes
from reflact.engine.consider import DECISION, Trial, consider
from reflact.engine.deep import FOLDER, ROLLOUT
from reflact.engine.notes import Gathered
from reflact.engine.progress import shown
from reflact.engine.rate import Budget, Question
from reflact.engine.stages import Stages
from reflact.pool import in_order
from reflact.stages.digest import digest
from reflact.stages.reflect import Minibatch
from reflact.stages.screen import Option, best
from reflact.store.codec import json_codec, proposal_codec, to_text
from reflact.store.folder import Folder
from reflact.types import Batch, Decision, Proposal, Rollout, RunState, Skill, StepDigest

DIGEST = json_codec(StepDigest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One microbatch: what the student did, and what the teacher made of it."""

    seed: int
    rollouts: tuple[Rollout, ...]
    probes: tuple[Rollout, ...]
    proposals: tuple[Proposal, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResult:
    """All a step has to tell; the record and the next state are made of it."""

    parts: tuple[Part, ...]
    merged: Proposal
    budget: Budget
    gathered: Gathered
    ranked: Proposal
    chosen: Proposal
    option: Option | None
    tried: tuple[Option, ...]
    trial: Trial | None
    decision: Decision
    digest: StepDigest


def step(batch: Batch, state: RunState, *, stages: Stages, at: Folder) -> StepResult:
    """Run one step from *state*; what is already kept in *at* is read instead of made."""
    skill = state.current.skill
    memory = stages.remember(state.memory)
    folders = [at] if len(batch.parts) == 1 else [at.sub(f"batch_{index}") for index in range(len(batch.parts))]
    parts = tuple(_part(batch, index, skill, memory, stages, folder) for index, folder in enumerate(folders))
    rollouts = tuple(one for part in parts for one in part.rollouts)
    proposals = tuple(one for part in parts for one in part.proposals)
    items = proposal_codec(stages.mode)
    merged = at.keep("merged_patch.json", items, stages.aggregate, proposals, skill, memory)
    question = Question(batch=batch, merged=merged, rollouts=rollouts, skill=skill, memory=memory, at=at)
    budget = stages.rate(question)
    chosen = at.keep("ranked_edits.json", items, stages.select, merged, skill, budget.items, memory)
    gathered = stages.gather(skill, state.memory.notes, proposals, at)
    made_of = (batch, rollouts, proposals, chosen, gathered.notes, budget.items)
    tried = candidates(*made_of, state=state, stages=stages, at=at)
    option = best(tried) if tried else None
    picked = option.chosen if option else chosen
    if option:
        at.export("candidate_skill.md", option.update.skill.text)
        at.export(stages.mode.artifact, to_text(stages.mode.report(option.update)))
    skipped = _skip(option, state)
    trial = None
    if option and not skipped:
        trial = consider(option.update.skill, origin=at.path.name, state=state, stages=stages, at=at)
    stay = Decision(action=skipped, candidate=None, current=state.current, best=state.best)
    decision = trial.decision if trial else at.keep("decision.json", DECISION, lambda: stay)
    told = (batch.step, rollouts, proposals, picked, decision, stages.mode)
    entry = at.keep("trajectory_digest.json", DIGEST, digest, *told)
    return StepResult(
        parts=parts,
        merged=merged,
        budget=budget,
        gathered=gathered,
        ranked=chosen,
        chosen=picked,
        option=option,
        tried=tried,
        trial=trial,
        decision=decision,
        digest=entry,
    )


def _part(batch: Batch, index: int, skill: Skill, memory: str, stages: Stages, at: Folder) -> Part:
    tasks, seed = batch.parts[index], batch.seeds[index]
    rollouts = stages.roll(tasks, skill, at.sub(ROLLOUT), what="rollout")
    label = f"batch_{index}/" if len(batch.parts) > 1 else ""
    proposals = _reflect(rollouts, {}, skill, memory, label, seed, stages, at)
    probed = stages.probe(tasks, rollouts, skill, memory, seed, at)
    if probed.rollouts:
        folder, deep = at.sub(FOLDER), f"{label}{FOLDER}/"
        proposals += _reflect(probed.rollouts, dict(probed.references), skill, memory, deep, seed, stages, folder)
    return Part(seed=seed, rollouts=rollouts, probes=probed.rollouts, proposals=proposals)


def _reflect(
    rollouts: tuple[Rollout, ...],
    references: Mapping[str, str],
    skill: Skill,
    memory: str,
    label: str,
    seed: int,
    stages: Stages,
    at: Folder,
) -> tuple[Proposal, ...]:
    """Return the analysts' proposals, a file for each minibatch."""
    evidence = stages.evidence(rollouts)
    groups = stages.minibatches(rollouts, seed)
    nested = proposal_codec(stages.mode, nested=True)
    patches = at.sub("patches").silent()

    def analyse(group: Minibatch) -> Proposal:
        made = partial(stages.analyse, references=references)
        return patches.keep(f"{group.name}.json", nested, made, group, skill, evidence, memory, label)

    started = time.monotonic()
    with shown(stages.progress, "reflect", len(groups)):
        proposals = in_order(analyse, groups, stages.analyst_workers, done=stages.progress.advance)
    at.tell("patches", started, from_disk=False)
    return proposals


def _skip(option: Option | None, state: RunState) -> str:
    """Return why there is nothing to take to the gate, or an empty string."""
    if option is None:
        return "skip_no_patches"
    if option.update.note:
        return "skip_no_rewrite"
    if not changes(option, state):
        return "skip_no_change"
    return "skip_screened_out" if option.tried and not option.right else ""

"""Score a skill on the selection split and let the gate decide: one way for steps and for epoch-level stages alike."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from reflact.engine.stages import Stages
from reflact.stages.gate import gate
from reflact.stages.score import flips, score
from reflact.store.codec import json_codec
from reflact.store.folder import Folder
from reflact.types import Decision, Rollout, RunState, Score, Scored, Skill, Usage, total_usage

DECISION = json_codec(Decision)
SCORE = json_codec(Score)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A candidate that was taken to the gate: its score, what it took, and the decision."""

    score: Score
    decision: Decision
    usage: Usage


def consider(skill: Skill, *, origin: str, state: RunState, stages: Stages, at: Folder) -> Trial:
    """Return what the gate makes of *skill* against the current one of *state*; a skill on record costs no call."""
    known = state.scores.get(skill.digest)
    rollouts: tuple[Rollout, ...] = ()
    if known is None:
        bar = state.current.score + stages.rule.epsilon
        rollouts = measure(skill, stages, at.sub("selection_eval"), what="evaluate", bar=bar)
    cut = len(rollouts) < stages.repeats * len(stages.selection)
    made = known or score(rollouts, rule=stages.rule, curtailed=cut)
    measured = at.keep("selection_score.json", SCORE, lambda: made)
    candidate = Scored(skill=skill, score=measured.value, origin=origin)
    decision = at.keep("decision.json", DECISION, _decide, candidate, measured, state, stages)
    return Trial(score=measured, decision=decision, usage=total_usage(one.usage for one in rollouts))


def measure(skill: Skill, stages: Stages, at: Folder, *, what: str, bar: float | None = None) -> tuple[Rollout, ...]:
    """Return the rollouts of the selection split with *skill*, every repeat after the other.

    With *bar*, stop as soon as the mean over all repeats cannot exceed it any more. After a task that could not be
    scored no later repeat is stopped early, so that the decision is always that of the full evaluation.
    """
    rounds: list[tuple[Rollout, ...]] = []
    for repeat in range(stages.repeats):
        folder = at if repeat == 0 else at.sub(f"repeat_{repeat}")
        own_bar = None if bar is None else _bar_of_round(bar, rounds, stages)
        rounds.append(stages.roll(stages.selection, skill, folder, what=what, bar=own_bar, repeat=repeat))
        if len(rounds[-1]) < len(stages.selection):
            break
    return tuple(one for made in rounds for one in made)


def adopt(state: RunState, trial: Trial, *, best_step: int) -> RunState:
    """Return *state* after the decision of *trial*."""
    decision = trial.decision
    digest = decision.candidate.skill.digest if decision.candidate else ""
    return replace(
        state,
        current=decision.current,
        best=decision.best,
        best_step=best_step if decision.action == "accept_new_best" else state.best_step,
        scores={**state.scores, digest: trial.score} if digest else state.scores,
    )


def _decide(candidate: Scored, measured: Score, state: RunState, stages: Stages) -> Decision:
    before = state.scores.get(state.current.skill.digest)
    compared = flips(before.items, measured.items) if before else None
    return gate(candidate, current=state.current, best=state.best, flips=compared, rule=stages.rule)


def _bar_of_round(bar: float, rounds: Sequence[Sequence[Rollout]], stages: Stages) -> float | None:
    if any(not one.scored for made in rounds for one in made):
        return None
    earlier = sum(score(made, rule=stages.rule).value for made in rounds)
    return bar * stages.repeats - earlier - (stages.repeats - len(rounds) - 1)

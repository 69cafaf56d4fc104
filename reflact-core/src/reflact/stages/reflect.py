"""Reflect: cut rollouts into minibatches of one kind, and let the teacher propose changes for each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from reflact.contracts import ExplainsMisses, UpdateMode
from reflact.llm.ask import NoAnswer, Teacher
from reflact.stages.leaks import leaks_of
from reflact.stages.replies import analysis
from reflact.stages.trajectories import NONE, WINDOW, Window, trajectories
from reflact.types import Failure, Proposal, Rollout, Skill, Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Minibatch:
    """Rollouts that one teacher call looks at; all failed, or all succeeded."""

    name: str
    index: int
    source_type: Source
    rollouts: tuple[Rollout, ...]
    seed: int


def minibatches(rollouts: Sequence[Rollout], *, seed: int, size: int, failure_only: bool) -> tuple[Minibatch, ...]:
    """Return failures and then successes in shuffled groups of at most *size*; unscored ones tell nothing.

    The order of *rollouts* and *seed* alone decide, never which call finished first.
    """
    pools: list[tuple[Source, str, int, list[Rollout]]] = [
        ("failure", "fail", seed, [one for one in rollouts if one.failed]),
        (
            "success",
            "succ",
            seed + 1,
            [] if failure_only else [one for one in rollouts if one.scored and not one.failed],
        ),
    ]
    groups = []
    for source_type, short, own_seed, pool in pools:
        Random(own_seed).shuffle(pool)
        for index, start in enumerate(range(0, len(pool), size)):
            group = Minibatch(
                name=f"minibatch_{short}_{index:03d}",
                index=index,
                source_type=source_type,
                rollouts=tuple(pool[start : start + size]),
                seed=own_seed,
            )
            groups.append(group)
    return tuple(groups)


def analyse(
    group: Minibatch,
    skill: Skill,
    evidence: str,
    memory: str,
    label: str,
    *,
    teacher: Teacher,
    mode: UpdateMode,
    budget: int,
    attempts: int,
    leaks_refused: bool = True,
    notes_from: frozenset[Source] = frozenset(),
    references: Mapping[str, str] = NONE,
    window: Window = WINDOW,
) -> Proposal:
    """Return what the teacher proposes for one minibatch: at most *budget* items, each with its computed support.

    *evidence* is what code found in the batch, *memory* what the teacher knows of earlier steps, *references* are
    hidden texts by task id; *label* tells the microbatches of a step apart. A reply none of whose items can be used,
    because they miss the document or (with *leaks_refused*) give shown answers away, is asked for again with the
    reasons; leaking items are dropped anyway. Analysts of a kind in *notes_from* may also write execution notes.
    The trajectories are fitted to *window*. A reply that stays unusable gives an empty proposal whose `note` says why.
    """
    success = group.source_type == "success"
    name = f"{label}{group.name}"
    shown = group.rollouts if leaks_refused else ()
    try:
        answer = teacher.ask(
            "analyst_success" if success else "analyst_failure",
            analysis(mode, success=success, notes=group.source_type in notes_from),
            stage="analyst",
            attempts=attempts,
            check=lambda reply: _fault(reply, budget, skill, mode, shown),
            repeat=group.index,
            skill=skill.text,
            trajectories=trajectories(
                group.rollouts, references=references, budget=window.room(skill.text, memory, evidence)
            ),
            evidence=evidence,
            memory=memory,
            budget=budget,
            skill_aware=group.source_type in notes_from,
            n=len(group.rollouts),
            variant=group.index,
        )
    except NoAnswer as error:
        return _proposal(group, name, note=str(error), usage=error.usage)
    reply: Any = answer.value
    given = [(item, leaks_of(item, shown, known=skill.text)) for item in _items(reply, mode, budget)]
    items = tuple(
        replace(item, sources=(name,), support_count=len(group.rollouts), source_type=group.source_type)
        for item, found in given
        if not found
    )
    refused = [f"refused, it gives away {', '.join(found)}: {mode.describe(item)}" for item, found in given if found]
    patterns = _successes(reply) if success else _failures(reply, most=len(group.rollouts))
    return _proposal(
        group,
        name,
        items=items,
        reasoning=reply.patch.reasoning,
        failures=patterns,
        notes=tuple(getattr(reply, "appendix_notes", ())),
        note="; ".join(refused),
        usage=answer.usage,
    )


def _items(reply: Any, mode: UpdateMode, budget: int) -> tuple[Any, ...]:
    drafts = getattr(reply.patch, mode.payload)[:budget]
    return tuple(mode.item(**draft.model_dump()) for draft in drafts)


def _fault(reply: Any, budget: int, skill: Skill, mode: UpdateMode, shown: Sequence[Rollout]) -> str:
    """Return why a reply is of no use, or an empty string; no items at all, and notes alone, are valid answers."""
    items = _items(reply, mode, budget)
    if getattr(reply, "appendix_notes", ()):
        return ""
    found = [leaks_of(item, shown, known=skill.text) for item in items]
    if items and all(found):
        given = ", ".join(dict.fromkeys(text for texts in found for text in texts))
        return f"the proposal gives away what belongs to single tasks ({given}); write what holds for other tasks too"
    return mode.misses(skill, items) if isinstance(mode, ExplainsMisses) else ""


def _successes(reply: Any) -> tuple[Failure, ...]:
    return tuple(Failure(failure_type=one) for one in reply.success_patterns)


def _failures(reply: Any, *, most: int) -> tuple[Failure, ...]:
    """Return the named patterns; none can show in more than the *most* trajectories that were looked at."""
    named = (one for one in reply.failure_summary if one.failure_type.strip())
    return tuple(
        Failure(failure_type=one.failure_type, count=min(one.count, most), description=one.description) for one in named
    )


def _proposal(group: Minibatch, name: str, **changes: Any) -> Proposal:
    return Proposal(name=name, source_type=group.source_type, batch_size=len(group.rollouts), **changes)

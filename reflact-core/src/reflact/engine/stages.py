"""The stages of a run with their tools bound; after this only data is passed."""

from collections.abc import Callable
from dataclasses import dataclass

from reflact.contracts import UpdateMode
from reflact.engine.deep import Probe
from reflact.engine.notes import Gather
from reflact.engine.progress import Progress
from reflact.engine.rate import Rate
from reflact.engine.roll import Roller
from reflact.stages.gate import Rule
from reflact.stages.reflect import Minibatch
from reflact.types import Memory, Proposal, Rollout, Skill, Task, Update


@dataclass(frozen=True, slots=True, kw_only=True)
class Stages:
    """What a step calls, in this order."""

    roll: Roller
    minibatches: Callable[[tuple[Rollout, ...], int], tuple[Minibatch, ...]]
    analyse: Callable[..., Proposal]
    """(minibatch, skill, evidence, memory, label, references=…) -> proposal"""
    evidence: Callable[[tuple[Rollout, ...]], str]
    remember: Callable[[Memory], str]
    """memory -> the text a teacher reads"""
    aggregate: Callable[[tuple[Proposal, ...], Skill, str], Proposal]
    probe: Probe
    gather: Gather
    rate: Rate
    select: Callable[[Proposal, Skill, int | None, str], Proposal]
    update: Callable[[Skill, Proposal, str], Update]
    """(skill, chosen, what the earlier steps of the epoch told) -> candidate"""
    selection: tuple[Task, ...]
    rule: Rule
    repeats: int
    mode: UpdateMode
    analyst_workers: int
    candidates: int
    screen_size: int
    progress: Progress

"""The step buffer: what later reflection should know of a step."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from reflact.contracts import UpdateMode
from reflact.types import Decision, Failure, Proposal, Rollout, StepDigest


def digest(
    step: int,
    rollouts: Sequence[Rollout],
    proposals: Sequence[Proposal],
    chosen: Proposal,
    decision: Decision,
    mode: UpdateMode,
) -> StepDigest:
    """Return the step's entry: failure patterns by the analysts' own counts, and the items if they were rejected."""
    rejected = decision.action == "reject"
    return StepDigest(
        step=step,
        action=decision.action,
        n_total=sum(one.scored for one in rollouts),
        n_fail=sum(one.failed for one in rollouts),
        failure_patterns=patterns(proposals),
        score_before=decision.current.score if rejected else None,
        score_after=decision.candidate.score if rejected and decision.candidate else None,
        rejected_edits=tuple(mode.brief(item) for item in chosen.items) if rejected else (),
    )


def patterns(proposals: Sequence[Proposal]) -> tuple[Failure, ...]:
    """Return the failure patterns of all minibatches, equal names counted together, the most frequent first."""
    found: dict[str, Failure] = {}
    for one in proposals:
        for pattern in one.failures if one.source_type == "failure" else ():
            key = pattern.failure_type.strip().casefold()
            old = found.get(key)
            found[key] = pattern if old is None else replace(old, count=old.count + pattern.count)
    return tuple(sorted(found.values(), key=lambda pattern: -pattern.count))


def refuted(steps: Sequence[StepDigest]) -> tuple[Mapping[str, Any], ...]:
    """Return the rejected items of *steps*, in short form, that were to blame: rejected alone, or in several steps.

    The gate judges a candidate as a whole. What was rejected once, together with others, may be right all the same.
    """
    found: list[Mapping[str, Any]] = []
    for step in steps:
        for item in step.rejected_edits:
            often = sum(item in other.rejected_edits for other in steps) > 1
            if item not in found and (often or len(step.rejected_edits) == 1):
                found.append(item)
    return tuple(found)

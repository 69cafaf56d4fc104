"""Rollouts as the teacher reads them: whole, or the head and the tail of what is too long, and saying so."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from reflact.types import Rollout

NONE: Mapping[str, str] = MappingProxyType({})
BUDGET = 60_000
"""Characters of conversation one teacher call may hold, shared evenly by its trajectories.

Question, answer and feedback may each take as much again; almost always they are short.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trajectory:
    """One rollout, ready for a template."""

    task_id: str
    kind: str
    question: str
    answer: str
    expected: tuple[str, ...]
    feedback: str
    outcome: str
    conversation: str
    trace: tuple[dict[str, Any], ...]
    hard: float
    soft: float
    reference: str = ""


def trajectories(
    rollouts: Sequence[Rollout], *, references: Mapping[str, str] = NONE, budget: int = BUDGET
) -> tuple[Trajectory, ...]:
    """Return *rollouts* for a template, long texts cut in the middle to fit *budget* characters over all of a kind."""
    share = budget // max(1, len(rollouts))
    return tuple(
        Trajectory(
            task_id=one.task_id,
            kind=one.kind,
            question=fit(one.question, share),
            answer=fit(one.answer, share),
            expected=tuple(fit(text, share) for text in one.expected),
            feedback=fit(one.feedback, share),
            outcome=one.outcome,
            conversation=fit("\n".join(map(line, one.trace)), share),
            trace=one.trace,
            hard=one.hard,
            soft=one.soft,
            reference=fit(references.get(one.task_id, ""), share),
        )
        for one in rollouts
    )


def line(entry: dict[str, Any]) -> str:
    """Return one entry of a trace as text: who, then what."""
    rest = {key: value for key, value in entry.items() if key not in ("role", "content")}
    extra = f" {json.dumps(rest, ensure_ascii=False)}" if rest else ""
    return f"[{entry.get('role', 'agent')}] {entry.get('content', '')}{extra}"


def fit(text: str, limit: int) -> str:
    """Return *text* within about *limit* characters: what is left out of the middle is said."""
    if len(text) <= limit:
        return text
    half = max(1, limit // 2)
    return f"{text[:half]}\n[… {len(text) - 2 * half} characters left out …]\n{text[-half:]}"

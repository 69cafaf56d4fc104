"""Rollouts as the teacher reads them: whole, or the head and the tail of what is too long, and saying so."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from reflact.types import Rollout

NONE: Mapping[str, str] = MappingProxyType({})
BUDGET = 60_000
"""Characters one teacher call may spend on trajectories if nothing is known of the model's window."""
CHARS_PER_TOKEN = 3
"""A cautious estimate: English has four, code and other scripts fewer."""
FRAME = 8_000
"""Characters kept free for the template around the trajectories."""
FEWEST = 2_000
STEP = 500
"""Characters of an agent's step that are shown, and of its output."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """What a model can take: the tokens it reads, and those it answers with."""

    tokens: int = 128_000
    reply: int = 16_384

    def room(self, *texts: str) -> int:
        """Return how many characters of trajectories fit beside *texts*, the other parts of the prompt.

        At least 2,000, so that there is something to read.
        """
        free = CHARS_PER_TOKEN * (self.tokens - min(self.reply, self.tokens // 4)) - FRAME - sum(map(len, texts))
        return max(FEWEST, free)


WINDOW = Window()


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
    """Return *rollouts* for a template; together they take at most about *budget* characters.

    A trajectory gets an even share: six tenths for the conversation (or the question in its place), a tenth each for
    the answer, what was expected, the evaluation and the reference. Longer texts lose their middle, and say so.
    """
    whole = budget // max(1, len(rollouts))
    share, tenth = whole * 6 // 10, whole // 10
    return tuple(
        Trajectory(
            task_id=one.task_id,
            kind=one.kind,
            question=fit(one.question, share),
            answer=fit(one.answer, tenth),
            expected=tuple(fit(text, tenth // max(1, len(one.expected))) for text in one.expected),
            feedback=fit(one.feedback, tenth),
            outcome=one.outcome,
            conversation=fit("\n".join(map(line, one.trace)), share),
            trace=one.trace,
            hard=one.hard,
            soft=one.soft,
            reference=fit(references.get(one.task_id, ""), tenth),
        )
        for one in rollouts
    )


def line(entry: dict[str, Any]) -> str:
    """Return one entry of a trace as text: who, then what; of an agent's step its number and the ends of its output."""
    if "step" in entry:
        return _step(entry)
    rest = {key: value for key, value in entry.items() if key not in ("role", "content")}
    extra = f" {json.dumps(rest, ensure_ascii=False)}" if rest else ""
    return f"[{entry.get('role', 'agent')}] {entry.get('content', '')}{extra}"


def _step(entry: dict[str, Any]) -> str:
    code = entry.get("exit_code")
    head = f"[step {entry['step']}, {entry.get('kind', 'step')}{'' if code is None else f', exit {code}'}]"
    output = entry.get("output") or ""
    shown = f"\n{fit(output, STEP)}" if output else ""
    return f"{head} {fit(str(entry.get('content', '')), STEP)}{shown}"


def fit(text: str, limit: int) -> str:
    """Return *text* within about *limit* characters: what is left out of the middle is said."""
    if len(text) <= limit:
        return text
    half = max(1, limit // 2)
    return f"{text[:half]}\n[… {len(text) - 2 * half} characters left out …]\n{text[-half:]}"

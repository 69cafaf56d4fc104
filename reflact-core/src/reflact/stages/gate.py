"""The gate: always on, strict. Options make it stricter or let it look at partial credit; none switches it off."""

from dataclasses import dataclass
from typing import Literal

from reflact.types import Decision, Flips, Scored

Metric = Literal["hard", "soft", "mixed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What a candidate must do: beat the current skill by more than `epsilon`, and lose no task if asked to."""

    metric: Metric = "hard"
    weight: float = 0.5
    epsilon: float = 0.0
    no_regression: bool = False

    def value(self, hard: float, soft: float) -> float:
        """Return what is compared of one result."""
        if self.metric == "mixed":
            return (1 - self.weight) * hard + self.weight * soft
        return soft if self.metric == "soft" else hard


STRICT = Rule()


def gate(
    candidate: Scored, *, current: Scored, best: Scored, flips: Flips | None = None, rule: Rule = STRICT
) -> Decision:
    """Let the candidate replace the current skill only if it scores higher; what is no number does not."""
    if not candidate.score > current.score + rule.epsilon:
        better = candidate.score > current.score
        reason = f"better by less than {rule.epsilon:g}" if better else ""
        return Decision(action="reject", candidate=candidate, current=current, best=best, flips=flips, reason=reason)
    if rule.no_regression and flips and flips.regressed:
        reason = f"{flips.regressed} tasks got worse"
        return Decision(action="reject", candidate=candidate, current=current, best=best, flips=flips, reason=reason)
    if candidate.score <= best.score:
        return Decision(action="accept", candidate=candidate, current=candidate, best=best, flips=flips)
    return Decision(action="accept_new_best", candidate=candidate, current=candidate, best=candidate, flips=flips)

"""The gate: always on, strict."""

from reflact.types import Decision, Scored


def gate(candidate: Scored, *, current: Scored, best: Scored) -> Decision:
    """Let the candidate replace the current skill only if it scores higher."""
    if candidate.score > current.score:
        if candidate.score > best.score:
            return Decision(action="accept_new_best", candidate=candidate, current=candidate, best=candidate)
        return Decision(action="accept", candidate=candidate, current=candidate, best=best)
    return Decision(action="reject", candidate=candidate, current=current, best=best)

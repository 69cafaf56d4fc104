"""What `reflact rescore` found, line by line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def rescoring_lines(values: Mapping[str, Any]) -> Iterator[str]:
    """Yield the folders whose scores are others now, the decisions that would be, and the sums.

    Of an evaluation, which has no decisions, every folder is told.
    """
    decisions = values["decisions"]
    for folder in values["folders"]:
        if folder["changed"] or not decisions:
            scores = f"hard {_pair(folder['hard'])}, soft {_pair(folder['soft'])}"
            changed = f"{len(folder['changed'])} of {folder['n']} changed"
            yield f"{folder['folder']} ({folder['split']}): {scores}; {changed}"
        for fault in folder["not_regraded"]:
            yield f"{folder['folder']}: not graded again: {fault}"
    turned = [one for one in decisions if one["differs"]]
    for one in turned:
        scores = f"candidate {_pair(one['candidate'])}, bar {_pair(one['current'])}"
        yield f"{one['file']}: {one['was']}, now {one['now']} ({scores})"
    yield f"{values['n_changed']} of {values['n_rollouts']} rollouts are worth something else now"
    if decisions:
        unsure = sum(one["now"] in ("open", "unknown") for one in decisions)
        told = f"; {unsure} cannot be told" if unsure else ""
        yield f"{len(turned)} of {len(decisions)} decisions of the gate would be others{told}"


def _pair(scores: tuple[float | None, float | None]) -> str:
    old, new = scores
    return f"{_number(old)} -> {_number(new)}"


def _number(score: float | None) -> str:
    return "none" if score is None else f"{score:.4f}"

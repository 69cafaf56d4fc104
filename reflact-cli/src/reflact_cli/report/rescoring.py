"""What `reflact rescore` found, line by line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def rescoring_lines(values: Mapping[str, Any]) -> Iterator[str]:
    """Yield the folders whose scores are others now, the decisions that would be, and the sums."""
    for folder in values["folders"]:
        if folder["changed"]:
            (hard, new_hard), (soft, new_soft) = folder["hard"], folder["soft"]
            scores = f"hard {hard:.4f} -> {new_hard:.4f}, soft {soft:.4f} -> {new_soft:.4f}"
            yield f"{folder['folder']} ({folder['split']}): {scores}; {len(folder['changed'])} of {folder['n']} changed"
        for fault in folder["not_regraded"]:
            yield f"{folder['folder']}: not graded again: {fault}"
    turned = [one for one in values["decisions"] if one["differs"]]
    for one in turned:
        scores = f"candidate {_pair(one, 'candidate')}, bar {_pair(one, 'current')}"
        yield f"{one['file']}: {one['was']}, now {one['now']} ({scores})"
    yield f"{values['n_changed']} of {values['n_rollouts']} rollouts are worth something else now"
    unsure = sum(one["now"] in ("open", "unknown") for one in values["decisions"])
    told = f"; {unsure} cannot be told" if unsure else ""
    yield f"{len(turned)} of {len(values['decisions'])} decisions of the gate would be others{told}"


def _pair(decision: Mapping[str, Any], key: str) -> str:
    old, new = decision[key]
    return f"{old:.4f} -> {new:.4f}"

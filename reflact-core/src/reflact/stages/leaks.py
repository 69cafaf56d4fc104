"""Find answers and ids of shown tasks in what a teacher proposes: a rule that holds one is a crib, not a rule.

An answer counts when it is at least four letters long, belongs to one task of the batch alone (a label that several
share is a convention), and stands in the text as whole words.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from reflact.stages.provenance import without_provenance
from reflact.types import Rollout

FEWEST_CHARS = 4


def leaks(text: str, rollouts: Sequence[Rollout]) -> tuple[str, ...]:
    """Return the answers and ids of *rollouts* that stand in *text*."""
    seen = Counter(answer for one in rollouts for answer in {_fold(answer) for answer in one.expected})
    folded = _fold(text)
    answers = (
        answer
        for one in rollouts
        for answer in one.expected
        if seen[_fold(answer)] == 1 and len(_fold(answer)) >= FEWEST_CHARS and _holds(folded, _fold(answer))
    )
    ids = (one.task_id for one in rollouts if len(one.task_id) >= FEWEST_CHARS and _holds(text, one.task_id))
    return tuple(dict.fromkeys((*answers, *ids)))


def leaks_of(item: Any, rollouts: Sequence[Rollout], *, known: str) -> tuple[str, ...]:
    """Return the leaks in what *item* says; what stands in *known*, the skill it is for, is given away by no item."""
    old = leaks(known, rollouts)
    found = leaks("\n".join(map(str, without_provenance(item))), rollouts)
    return tuple(text for text in found if text not in old)


def _holds(text: str, part: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text) is not None


def _fold(text: str) -> str:
    return " ".join(text.casefold().split())

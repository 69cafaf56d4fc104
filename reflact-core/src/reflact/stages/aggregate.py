"""Aggregate: combine the minibatches' proposals, level by level, failures and successes apart until the last merge."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Any, Literal

from reflact.contracts import UpdateMode
from reflact.llm.ask import NoAnswer, Teacher
from reflact.pool import in_order
from reflact.stages.provenance import credit, without_provenance
from reflact.stages.replies import merging
from reflact.types import Proposal, Skill, Source, Usage, total_usage

Strategy = Literal["teacher", "concat"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Merger:
    """What a merge needs besides the proposals."""

    skill: Skill
    teacher: Teacher
    mode: UpdateMode
    memory: str
    batch_size: int
    workers: int
    sizes: Mapping[str, int]


def aggregate(
    proposals: Sequence[Proposal],
    skill: Skill,
    memory: str,
    *,
    teacher: Teacher,
    mode: UpdateMode,
    batch_size: int,
    workers: int,
    strategy: Strategy,
) -> Proposal:
    """Return one proposal made of all. With strategy `concat` the items are joined without asking the teacher."""
    useful = [one for one in proposals if one.items]
    failures = tuple(pattern for one in proposals if one.source_type == "failure" for pattern in one.failures)
    if strategy == "concat":
        return replace(_joined(useful, note=""), failures=failures)
    sizes = {one.name: one.batch_size for one in proposals}
    merger = Merger(
        skill=skill, teacher=teacher, mode=mode, memory=memory, batch_size=batch_size, workers=workers, sizes=sizes
    )
    failed = _tree([one for one in useful if one.source_type == "failure"], merger, "failure")
    passed = _tree([one for one in useful if one.source_type == "success"], merger, "success")
    if not failed.items or not passed.items:
        only = passed if passed.items else failed
        return replace(only, failures=failures, usage=failed.usage + passed.usage, name="", note=_notes(failed, passed))
    final = _merge((1, (failed, passed)), merger, "merge_final", level=_level(failed, passed) + 1)
    return replace(final, failures=failures, usage=failed.usage + passed.usage + final.usage, name="")


def _tree(proposals: Sequence[Proposal], merger: Merger, kind: Source) -> Proposal:
    """Merge consecutive groups, all groups of a level at once, until one proposal is left."""
    level = 0
    spent = Usage()
    queue = [replace(one, usage=Usage()) for one in proposals]
    while len(queue) > 1:
        level += 1
        groups = [tuple(queue[at : at + merger.batch_size]) for at in range(0, len(queue), merger.batch_size)]
        merge = partial(_merge, merger=merger, template=f"merge_{kind}", level=level)
        queue = list(in_order(merge, list(enumerate(groups)), merger.workers))
        spent += total_usage(one.usage for one in queue)
        queue = [replace(one, usage=Usage()) for one in queue]
    return replace(queue[0], usage=spent) if queue else Proposal(source_type=kind, reasoning=f"no {kind} proposals")


def _merge(numbered: tuple[int, tuple[Proposal, ...]], merger: Merger, template: str, level: int) -> Proposal:
    """Ask the teacher to merge one group; when it cannot, join the group and say so."""
    repeat, group = numbered
    if len(group) == 1:
        return group[0]
    pool = [item for one in group for item in one.items]
    numbered_pool = enumerate(pool)
    try:
        answer = merger.teacher.ask(
            template,
            merging(merger.mode),
            stage="merge",
            repeat=repeat,
            skill=merger.skill.text,
            memory=merger.memory,
            groups=[list(islice(numbered_pool, len(one.items))) for one in group],
            counts=[len(one.items) for one in group],
            level=level,
        )
    except NoAnswer as error:
        joined = _joined(group, note=f"merge failed, proposals joined as they are: {error}")
        return replace(joined, usage=error.usage, note=_notes(*group, joined))
    reply: Any = answer.value
    items = []
    for draft in getattr(reply, merger.mode.payload):
        fields = draft.model_dump()
        origins = fields.pop("sources")
        items.append(credit(merger.mode.item(**fields), origins, pool, merger.sizes, level=level))
    return Proposal(
        items=tuple(items),
        reasoning=reply.reasoning,
        source_type=group[0].source_type,
        note=_notes(*group),
        usage=answer.usage,
    )


def _joined(group: Sequence[Proposal], *, note: str) -> Proposal:
    items: dict[tuple[Any, ...], Any] = {}
    for one in group:
        for item in one.items:
            same = without_provenance(item)
            old = items.get(same)
            items[same] = item if old is None else _both(old, item)
    kind = group[0].source_type if group else "failure"
    return Proposal(items=tuple(items.values()), source_type=kind, note=note if len(group) > 1 else "")


def _both(old: Any, new: Any) -> Any:
    fresh = [source for source in new.sources if source not in old.sources]
    support = old.support_count + (new.support_count if fresh else 0)
    return replace(old, sources=(*old.sources, *fresh), support_count=support)


def _notes(*proposals: Proposal) -> str:
    return "; ".join(dict.fromkeys(one.note for one in proposals if one.note))


def _level(*proposals: Proposal) -> int:
    return max((item.merge_level for one in proposals for item in one.items), default=0)

"""Select: keep at most the budget's number of items, the ones the teacher ranks highest."""

from dataclasses import replace

from reflact.contracts import UpdateMode
from reflact.llm.ask import NoAnswer, Teacher
from reflact.stages.replies import Ranking
from reflact.types import Proposal, Skill, Usage


def select(
    proposal: Proposal, skill: Skill, budget: int | None, memory: str, *, teacher: Teacher, mode: UpdateMode
) -> Proposal:
    """Return *proposal* cut to *budget* items (None: all of them); within the budget nothing is asked.

    The teacher's order stands; places it leaves open go to the items with the most support. Without a usable ranking
    support alone decides.
    """
    kept = replace(proposal, note="", usage=Usage())
    if budget is None or not mode.budgeted or len(proposal.items) <= budget:
        return kept
    if budget == 0:
        return replace(kept, items=())
    by_support = sorted(range(len(proposal.items)), key=lambda index: (-proposal.items[index].support_count, index))
    try:
        answer = teacher.ask(
            "rank",
            Ranking,
            stage="ranking",
            check=lambda ranking: _fault(ranking, len(proposal.items)),
            skill=skill.text,
            memory=memory,
            budget=budget,
            pool=[(index, mode.describe(item)) for index, item in enumerate(proposal.items)],
        )
    except NoAnswer as error:
        note = f"ranking failed, kept by support: {error}"
        return replace(kept, items=tuple(proposal.items[i] for i in by_support[:budget]), note=note, usage=error.usage)
    wanted = [index for index in answer.value.selected_indices if 0 <= index < len(proposal.items)]
    chosen = list(dict.fromkeys([*wanted, *by_support]))[:budget]
    return replace(
        kept,
        items=tuple(proposal.items[index] for index in chosen),
        reasoning=answer.value.reasoning,
        usage=answer.usage,
    )


def _fault(ranking: Ranking, size: int) -> str:
    known = any(0 <= index < size for index in ranking.selected_indices)
    return "" if known else f"selected_indices: name numbers of the pool, 0 to {size - 1}"

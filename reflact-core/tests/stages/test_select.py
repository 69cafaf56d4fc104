"""Selection: the budget is kept, whatever the teacher answers."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reflact.errors import BackendError
from reflact.llm.ask import Teacher
from reflact.llm.prompts import Prompts
from reflact.modes.patch import Patch
from reflact.stages.select import select
from reflact.testing import ScriptedModel
from reflact.types import ChatReply, ChatRequest, Edit, Proposal, Skill, Usage

PROMPTS = Prompts((files("reflact.prompts") / "default",))
ITEMS = tuple(
    Edit(op="append", content=f"rule {number}", support_count=support, sources=(f"m{number}",))
    for number, support in enumerate([1, 9, 4, 9, 2])
)
POOL = Proposal(items=ITEMS, reasoning="merged", note="merge failed", usage=Usage(calls=5))


def run(reply: str, budget: int = 2) -> tuple[Proposal, ScriptedModel]:
    model = ScriptedModel(lambda _: ChatReply(text=reply, usage=Usage(calls=1, prompt=3)))
    teacher = Teacher(model=model, prompts=PROMPTS)
    return select(POOL, Skill("the skill"), budget, "the memory", teacher=teacher, mode=Patch()), model


def chosen(reply: str, budget: int = 2) -> list[int]:
    return [ITEMS.index(item) for item in run(reply, budget)[0].items]


@pytest.mark.parametrize("budget", [5, 6, 99])
def test_within_the_budget_nobody_is_asked(budget: int) -> None:
    proposal, model = run("no", budget)
    assert (proposal.items, proposal.reasoning, proposal.usage) == (ITEMS, "merged", Usage())
    assert model.requests == ()


@pytest.mark.parametrize(
    ("indices", "budget", "kept"),
    [
        ([4, 0], 2, [4, 0]),
        ([4, 0, 1], 2, [4, 0]),
        ([4], 2, [4, 1]),
        ([1], 3, [1, 3, 2]),
        ([4, 4, 4], 2, [4, 1]),
        ([99, -1, 4], 2, [4, 1]),
        (["4", "item 0"], 2, [4, 0]),
        ([True, 4], 2, [4, 1]),
        ([4.0, None], 2, [4, 1]),
        (4, 1, [4]),
    ],
)
def test_the_teachers_order_stands_and_support_fills_up(indices: object, budget: int, kept: list[int]) -> None:
    assert chosen(json.dumps({"reasoning": "", "selected_indices": indices}), budget) == kept


@given(st.lists(st.integers(-3, 9)), st.integers(1, 4))
def test_as_many_as_the_budget_are_kept_and_none_twice(indices: list[int], budget: int) -> None:
    kept = chosen(json.dumps({"selected_indices": indices}), budget)
    assert len(kept) == len(set(kept)) == budget


@pytest.mark.parametrize("reply", ["no", '{"selected_indices": []}', '{"selected_indices": [true, 17]}'])
def test_without_a_usable_ranking_support_decides_and_it_is_said(reply: str) -> None:
    proposal, model = run(reply, 3)
    assert [ITEMS.index(item) for item in proposal.items] == [1, 3, 2]
    assert proposal.note.startswith("ranking failed, kept by support: ranking: ")
    assert (len(model.requests), proposal.usage) == (2, Usage(calls=2, prompt=6))


def test_a_ranking_out_of_range_is_told_what_is_in_range() -> None:
    _, model = run('{"selected_indices": [17]}')
    assert "name numbers of the pool, 0 to 4" in model.requests[1].messages[-1].text


def test_the_teacher_sees_skill_memory_budget_and_each_item_with_its_support() -> None:
    proposal, model = run('{"reasoning": "best", "selected_indices": [0, 1]}')
    text = model.requests[0].messages[1].text
    assert all(
        part in text for part in ("the skill", "the memory", "Choose 2", "[1] append: rule 1 (support 9, failure)")
    )
    assert (proposal.reasoning, proposal.note, proposal.usage.calls) == ("best", "", 1)


def test_provenance_survives_selection() -> None:
    assert run('{"selected_indices": [2, 3]}')[0].items == (ITEMS[2], ITEMS[3])


def test_a_mode_without_a_budget_is_not_cut() -> None:
    class Whole(Patch):
        budgeted = False  # type: ignore[assignment]

    model = ScriptedModel(lambda _: "no")
    teacher = Teacher(model=model, prompts=PROMPTS)
    assert select(POOL, Skill(""), 1, "", teacher=teacher, mode=Whole()).items == ITEMS
    assert model.requests == ()


def test_a_teacher_that_cannot_be_reached_ends_the_selection() -> None:
    def fail(_: ChatRequest) -> str:
        raise BackendError("gone")

    teacher = Teacher(model=ScriptedModel(fail), prompts=PROMPTS)
    with pytest.raises(BackendError, match="gone"):
        select(POOL, Skill(""), 1, "", teacher=teacher, mode=Patch())

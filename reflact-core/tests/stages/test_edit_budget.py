"""How many edits a step may keep."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reflact.engine.schedule import Scheduler, edit_budget


def budgets(scheduler: Scheduler, *, high: int, low: int, total: int) -> list[int]:
    return [edit_budget(step, total=total, high=high, low=low, scheduler=scheduler) for step in range(1, total + 1)]


@pytest.mark.parametrize("scheduler", ["linear", "cosine"])
def test_a_short_schedule_falls_as_published(scheduler: Scheduler) -> None:
    assert budgets(scheduler, high=4, low=2, total=8) == [4, 4, 3, 3, 3, 2, 2, 2]


def test_a_long_cosine_schedule_falls_as_published() -> None:
    falls = budgets("cosine", high=8, low=2, total=40)
    assert [(budget, falls.count(budget)) for budget in dict.fromkeys(falls)] == [
        (8, 7),
        (7, 6),
        (6, 4),
        (5, 5),
        (4, 4),
        (3, 6),
        (2, 8),
    ]


def test_a_constant_schedule_stays() -> None:
    assert budgets("constant", high=8, low=2, total=5) == [8] * 5


@pytest.mark.parametrize("scheduler", get_args(Scheduler))
def test_a_run_of_one_step_has_the_whole_budget(scheduler: Scheduler) -> None:
    assert edit_budget(1, total=1, high=8, low=2, scheduler=scheduler) == 8


@given(st.sampled_from(get_args(Scheduler)), st.integers(1, 60), st.integers(1, 20), st.integers(0, 19))
def test_a_budget_never_rises_nor_leaves_its_bounds(scheduler: Scheduler, total: int, high: int, less: int) -> None:
    low = max(1, high - less)
    found = budgets(scheduler, high=high, low=low, total=total)
    assert all(low <= budget <= high for budget in found)
    assert found == sorted(found, reverse=True)
    assert edit_budget(total + 5, total=total, high=high, low=low, scheduler=scheduler) == found[-1]

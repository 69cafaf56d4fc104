"""Which tasks a step sees."""

from itertools import chain
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reflact.data.batches import batches_after, plan
from reflact.errors import ConfigError
from reflact.types import Batch, Task


def tasks_of(n: int) -> list[Task]:
    return [Task(id=f"t{number}") for number in range(n)]


def ids(batch: Batch) -> list[list[str]]:
    return [[task.id for task in part] for part in batch.parts]


sizes = st.fixed_dictionaries(
    {
        "epochs": st.integers(1, 3),
        "batch_size": st.integers(1, 9),
        "accumulation": st.integers(1, 4),
        "seed": st.integers(0, 99),
    }
)


def test_sizes_are_rounded_up() -> None:
    made = plan(tasks_of(400), epochs=4, batch_size=80, accumulation=2, seed=42)
    assert (made.train_size, made.steps_per_epoch, made.total_steps) == (400, 3, 12)


@given(st.integers(1, 30), sizes)
def test_an_epoch_sees_every_task(n: int, given_sizes: dict[str, int]) -> None:
    tasks = tasks_of(n)
    made = plan(tasks, **given_sizes)
    batches = list(batches_after(0, tasks, made))
    assert [batch.step for batch in batches] == list(range(1, made.total_steps + 1))
    for epoch in range(1, made.epochs + 1):
        seen = chain.from_iterable(chain.from_iterable(ids(one)) for one in batches if one.epoch == epoch)
        assert set(seen) == {task.id for task in tasks}


@given(st.integers(1, 30), sizes, st.integers(0, 40))
def test_a_resumed_run_sees_what_it_would_have_seen(n: int, given_sizes: dict[str, int], done: int) -> None:
    tasks = tasks_of(n)
    made = plan(tasks, **given_sizes)
    assert list(batches_after(done, tasks, made)) == list(batches_after(0, tasks, made))[done:]


@given(st.integers(1, 30), sizes)
def test_every_part_holds_tasks_and_none_twice(n: int, given_sizes: dict[str, int]) -> None:
    tasks = tasks_of(n)
    for batch in batches_after(0, tasks, plan(tasks, **given_sizes)):
        assert len(batch.parts) == given_sizes["accumulation"]
        assert all(part and len({task.id for task in part}) == len(part) for part in batch.parts)


def test_an_epoch_is_cut_from_a_shuffle_by_seed_and_epoch() -> None:
    tasks = tasks_of(10)
    order = [task.id for task in tasks]
    Random(42 + 2000).shuffle(order)
    second = [one for one in batches_after(0, tasks, plan(tasks, epochs=2, batch_size=4, seed=42)) if one.epoch == 2]
    assert [ids(batch)[0] for batch in second] == [order[:4], order[4:8], order[8:]]
    assert [batch.seeds for batch in second] == [(2043,), (2044,), (2045,)]
    assert [(batch.step, batch.step_in_epoch, batch.last_of_epoch) for batch in second] == [
        (4, 0, False),
        (5, 1, False),
        (6, 2, True),
    ]


def test_a_slice_past_the_end_is_refilled_with_its_own_seed() -> None:
    tasks = tasks_of(5)
    (first, second) = batches_after(0, tasks, plan(tasks, epochs=1, batch_size=2, accumulation=2, seed=7))
    order, refill = [task.id for task in tasks], [task.id for task in tasks]
    Random(1007).shuffle(order)
    Random(1007 + 4).shuffle(refill)
    assert ids(first) == [order[:2], order[2:4]]
    assert ids(second) == [order[4:], refill[:2]]
    assert second.seeds == (1010, 1011)


def test_a_batch_size_above_the_number_of_tasks_takes_them_all() -> None:
    (only,) = batches_after(0, tasks_of(3), plan(tasks_of(3), epochs=1, batch_size=80, seed=1))
    assert len(only.parts[0]) == 3


def test_a_train_size_that_is_not_the_number_of_tasks_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"train\.train_size is 400, but the train split has 10 tasks"):
        plan(tasks_of(10), epochs=1, batch_size=4, train_size=400)
    assert plan(tasks_of(10), epochs=1, batch_size=4, train_size=10).train_size == 10


def test_a_size_of_zero_and_an_empty_split_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"train\.batch_size is 0"):
        plan(tasks_of(10), epochs=1, batch_size=0)
    with pytest.raises(ConfigError, match="train split is empty"):
        plan([], epochs=1, batch_size=4)

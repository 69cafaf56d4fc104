"""Which tasks a step sees: a pure function of seed, sizes and step, so that a resumed run sees the same."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from reflact.errors import ConfigError
from reflact.types import Batch, Task


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The sizes of a run. A step takes `accumulation` batches of at most `batch_size` tasks each."""

    train_size: int
    epochs: int
    batch_size: int
    accumulation: int
    seed: int

    @property
    def steps_per_epoch(self) -> int:
        """Steps in which an epoch sees every task at least once."""
        return -(-self.train_size // (self.batch_size * self.accumulation))

    @property
    def total_steps(self) -> int:
        """Steps of the whole run."""
        return self.epochs * self.steps_per_epoch


def plan(
    tasks: Sequence[Task], *, epochs: int, batch_size: int, accumulation: int = 1, seed: int = 42, train_size: int = 0
) -> Plan:
    """Return the sizes of a run over *tasks*, the train split. A *train_size* of 0 takes the number of tasks.

    Raises `ConfigError` when a size is not positive or *train_size* is not the number of tasks.
    """
    sizes = {"train.num_epochs": epochs, "train.batch_size": batch_size, "train.accumulation": accumulation}
    for key, value in sizes.items():
        if value < 1:
            raise ConfigError(f"{key} is {value}; it must be at least 1")
    if not tasks:
        raise ConfigError("the train split is empty: there is nothing to train on")
    if train_size not in (0, len(tasks)):
        raise ConfigError(
            f"train.train_size is {train_size}, but the train split has {len(tasks)} tasks"
            " (env.limit cuts every split); set it to 0 to take them all"
        )
    return Plan(train_size=len(tasks), epochs=epochs, batch_size=batch_size, accumulation=accumulation, seed=seed)


def batches_after(step: int, tasks: Sequence[Task], sizes: Plan) -> Iterator[Batch]:
    """Yield the batches of the steps after *step* (0 yields all), the same ones whatever *step* a run goes on from.

    Epoch e shuffles *tasks* with seed + 1000 e and cuts it into consecutive slices. Batch b of it, from 0, carries
    seed + 1000 e + b + 1. A slice past the end is refilled from a shuffle of all *tasks* with that batch's own seed.
    Steps and epochs count from 1, `step_in_epoch` from 0.
    """
    per_epoch = sizes.steps_per_epoch
    for epoch in range(step // per_epoch + 1, sizes.epochs + 1):
        order = _shuffled(tasks, sizes.seed + 1000 * epoch)
        first = max(step - (epoch - 1) * per_epoch, 0)
        for index in range(first, per_epoch):
            numbers = range(index * sizes.accumulation, (index + 1) * sizes.accumulation)
            seeds = tuple(sizes.seed + 1000 * epoch + number + 1 for number in numbers)
            pairs = zip(numbers, seeds, strict=True)
            yield Batch(
                step=(epoch - 1) * per_epoch + index + 1,
                epoch=epoch,
                step_in_epoch=index,
                parts=tuple(_part(order, tasks, n, seed, sizes.batch_size) for n, seed in pairs),
                seeds=seeds,
                last_of_epoch=index + 1 == per_epoch,
            )


def _part(order: Sequence[Task], tasks: Sequence[Task], number: int, seed: int, size: int) -> tuple[Task, ...]:
    part = order[number * size : (number + 1) * size]
    return tuple(part or _shuffled(tasks, seed)[:size])


def _shuffled(tasks: Sequence[Task], seed: int) -> list[Task]:
    order = list(tasks)
    Random(seed).shuffle(order)
    return order

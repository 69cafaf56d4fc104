"""Compare the skill of the epoch before with today's on a sample of training tasks."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from reflact.engine.roll import Roller
from reflact.stages.pairs import CHANGED, Pair, Policy, compare, counts, keep, listed
from reflact.stages.trajectories import Window
from reflact.store.codec import to_text
from reflact.store.folder import Folder
from reflact.types import Rollout, Skill, Task


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Rolls a sample out under two skills. The sample's seed is its own: it is no batch of any epoch by accident."""

    roll: Roller
    tasks: tuple[Task, ...]
    seed: int
    samples: int
    policy: Policy
    window: Window

    def __call__(self, previous: Skill, current: Skill, epoch: int, at: Folder) -> tuple[Pair, ...]:
        """Return the pairs the policy shows, at most `samples`; policy `changed` goes on to further tasks for them."""
        order = list(self.tasks)
        Random(f"slow_update:{self.seed}:{epoch}").shuffle(order)
        pairs = list(self._pairs(order[: self.samples], previous, current, at, ""))
        rest = order[self.samples :]
        number = 0
        while self.policy == "changed" and rest and sum(one.category in CHANGED for one in pairs) < self.samples:
            number += 1
            chunk, rest = rest[: self.samples], rest[self.samples :]
            pairs += self._pairs(chunk, previous, current, at, f"topup_{number}")
        shown = keep(pairs, self.policy)[: self.samples]
        at.export("comparison_pairs.json", to_text(listed(shown)))
        if self.policy != "mixed":
            at.export("comparison_pairs_all.json", to_text(listed(pairs)))
        return shown

    def _pairs(self, tasks: Sequence[Task], previous: Skill, current: Skill, at: Folder, part: str) -> tuple[Pair, ...]:
        before = self._rolled(tasks, previous, at.sub("rollout_prev"), part)
        after = before if previous == current else self._rolled(tasks, current, at.sub("rollout_curr"), part)
        budget = self.window.room(previous.text, current.text)
        return compare(before, after, budget=budget)

    def _rolled(self, tasks: Sequence[Task], skill: Skill, at: Folder, part: str) -> tuple[Rollout, ...]:
        return self.roll(tasks, skill, at.sub(part) if part else at, what="compare")


def summary(pairs: Sequence[Pair]) -> dict[str, float | int]:
    """Return the means under both skills and the counts by category."""
    n = max(1, len(pairs))
    return {
        "prev_hard": round(sum(one.prev.hard for one in pairs) / n, 6),
        "curr_hard": round(sum(one.curr.hard for one in pairs) / n, 6),
        **counts(pairs),
    }

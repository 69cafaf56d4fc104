"""The end of an epoch: its stages, one after the other, from what is known to what is known after them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from reflact.stages.pairs import Pair
from reflact.store.folder import Folder
from reflact.types import RunState, Skill


@dataclass(frozen=True, slots=True, kw_only=True)
class EpochEnd:
    """What an epoch-level stage sees, and returns changed."""

    epoch: int
    state: RunState
    after_steps: Skill
    """The current skill after the epoch's last step, before any stage of its end."""
    records: tuple[Mapping[str, Any], ...]
    """The epoch's step records."""
    root: Folder
    pairs: tuple[Pair, ...] | None = None
    """The comparison with the epoch before, once a stage has made it."""

    def folder(self, stage: str) -> Folder:
        """Return the folder of *stage* for this epoch."""
        return self.root.sub(stage).sub(f"epoch_{self.epoch:02d}")


EpochStage = Callable[[EpochEnd], EpochEnd]


def close(
    epoch: int,
    state: RunState,
    records: Sequence[Mapping[str, Any]],
    *,
    stages: Sequence[EpochStage],
    root: Folder,
    done: Callable[[], object] = lambda: None,
) -> RunState:
    """Return the state after the stages of *epoch*'s end; *done* is called as each of them is.

    Nothing is committed before all of them are done.
    """
    end = EpochEnd(
        epoch=epoch,
        state=state,
        after_steps=state.current.skill,
        records=tuple(entry for entry in records if entry["epoch"] == epoch),
        root=root,
    )
    for stage in stages:
        end = stage(end)
        done()
    changed = end.state.current.skill != state.current.skill
    file = f"skills/skill_v{state.step:04d}_epoch_{epoch:02d}.md" if changed else state.skill_file
    return replace(end.state, closed=epoch, skill_file=file, previous=end.state.current.skill, previous_file=file)

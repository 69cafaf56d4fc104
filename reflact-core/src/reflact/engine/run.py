"""A run, ready to go: everything the loop needs, bound once."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reflact.config import Resolved
from reflact.contracts import Env
from reflact.data.batches import Plan
from reflact.engine.cost import Cost
from reflact.engine.epoch import EpochStage
from reflact.engine.progress import Progress
from reflact.engine.stages import Stages
from reflact.llm.router import Router
from reflact.store.run import RunStore
from reflact.types import Skill, Split, Task

MANIFEST = "run_manifest.json"
"""The file that makes a folder the folder of a run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run that has passed every check that costs nothing."""

    resolved: Resolved
    env: Env
    router: Router
    store: RunStore
    tasks: Mapping[Split, tuple[Task, ...]]
    plan: Plan
    stages: Stages
    initial: Skill
    manifest: Mapping[str, Any]
    observers: Any
    progress: Progress
    cost: Cost
    epoch_stages: tuple[EpochStage, ...] = ()
    notes: tuple[str, ...] = ()

    def selection(self) -> tuple[Task, ...]:
        """The tasks of the gate."""
        return self.stages.selection

"""What becomes of the news that an artifact is there: a line in `timing.jsonl`, and a word to the observers."""

import json
import re
from pathlib import Path
from typing import Any

from reflact.contracts import StageDone
from reflact.store.folder import Kept

STAGES = {
    "results.jsonl": "rollout",
    "patches": "reflect",
    "merged_patch.json": "aggregate",
    "ranked_edits.json": "select",
    "update.json": "update",
    "selection_score.json": "evaluate",
    "decision.json": "gate",
    "trajectory_digest.json": "digest",
}


class Heard:
    """Listens to a run's folders. Times belong to one process, so they are kept apart from what is compared."""

    def __init__(self, root: Path, observers: Any) -> None:
        self._root = root
        self._observers = observers

    def __call__(self, kept: Kept) -> None:
        """Pass on that *kept* is there."""
        name = kept.path.relative_to(self._root).as_posix()
        if not kept.from_disk:
            with (self._root / "timing.jsonl").open("a", encoding="utf-8") as file:
                file.write(json.dumps({"artifact": name, "seconds": round(kept.seconds, 3)}) + "\n")
        stage = STAGES.get(kept.path.name)
        if stage:
            number = re.search(r"step_(\d+)", name)
            self._observers.reflact_stage_finished(
                stage=StageDone(
                    name=stage,
                    step=int(number.group(1)) if number else 0,
                    seconds=kept.seconds,
                    artifact=kept.path,
                    from_disk=kept.from_disk,
                )
            )

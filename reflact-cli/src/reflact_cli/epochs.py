"""What the ends of a run's epochs have brought, read from their folders."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reflact.store.files import read

RESULTS: Mapping[str, str] = {
    "slow_update": "slow_result.json",
    "meta_skill": "meta_skill_result.json",
    "meta_reflect": "meta_result.json",
}
"""Stage -> the file of its result, in the order in which they run."""
PATTERNS = "failure_summary"


@dataclass(frozen=True, slots=True)
class StageResult:
    """What a stage at the end of an epoch gave: *values* as its file holds them, *texts* as the skill got them."""

    epoch: int
    stage: str
    values: Mapping[str, Any]
    texts: tuple[str, ...]

    @property
    def accepted(self) -> bool:
        """True when the gate let it into the skill."""
        return str(self.values.get("action", "")).startswith("accept")


def stage_results(out: Path, epoch: int) -> Iterator[StageResult]:
    """Yield the results of the stages that ended *epoch* of the run in *out*."""
    for stage, name in RESULTS.items():
        folder = out / stage / f"epoch_{epoch:02d}"
        if (folder / name).is_file():
            values = json.loads(read(folder / name))
            yield StageResult(epoch, stage, values, tuple(_texts(folder, values)))


def accepted(out: Path) -> list[StageResult]:
    """Return all results that changed the skill, in order."""
    found = {int(match[1]) for path in out.glob("*/epoch_*") if (match := re.search(r"epoch_(\d+)$", path.name))}
    return [result for epoch in sorted(found) for result in stage_results(out, epoch) if result.accepted]


def _texts(folder: Path, values: Mapping[str, Any]) -> Iterator[str]:
    if values.get("slow_update_content"):
        yield str(values["slow_update_content"])
    patch = folder / "meta_patch.json"
    if patch.is_file():
        lists = [value for key, value in json.loads(read(patch)).items() if isinstance(value, list) and key != PATTERNS]
        yield from (str(item["content"]) for items in lists for item in items if item.get("content"))

"""Grade what a run has stored once more, without a model: what another scorer would have said, and decided."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reflact.contracts import Regrades
from reflact.engine.inputs import build_env, load_tasks, rule_of
from reflact.engine.redecide import decisions
from reflact.engine.resume import reload
from reflact.errors import ConfigError, DataError, RunError
from reflact.plugins import Plugins
from reflact.stages.score import score
from reflact.store.codec import json_codec, to_text
from reflact.store.files import write
from reflact.store.folder import decoded, stored_rollouts
from reflact.types import Rollout, Split, Task

FILE = "rescore.json"
META = json_codec(dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Regraded:
    """The rollouts of one folder of results, before and after; `skill` is the digest of the skill they had."""

    place: str
    split: str
    skill: str
    old: tuple[Rollout, ...]
    new: tuple[Rollout, ...]
    faults: tuple[str, ...] = ()

    @property
    def changed(self) -> Iterator[tuple[Rollout, Rollout]]:
        """The rollouts that are worth something else now."""
        return ((a, b) for a, b in zip(self.old, self.new, strict=True) if _worth(a) != _worth(b))


def _worth(rollout: Rollout) -> tuple[bool, float, float]:
    return rollout.scored, rollout.hard, rollout.soft


def rescore(out_root: Path, plugins: Plugins, *, dry_run: bool = False) -> dict[str, Any]:
    """Return what `rescore.json` holds: for every folder of results the scores as stored and as graded today.

    `decisions` tells for every decision of the gate what it would be now, from the same candidates. The run itself is
    left as it is; with *dry_run* nothing at all is written. Raises `RunError` when there is no run, `ConfigError` when
    its env cannot grade without asking somebody.
    """
    resolved = reload(out_root, plugins)
    env = build_env(resolved, out_root)
    if not isinstance(env, Regrades):
        raise ConfigError(f"env {resolved.env_spec.name!r} cannot grade again what is stored (it has no `regrade`)")
    splits = load_tasks(env)
    files = sorted(out_root.rglob("results.jsonl"))
    if not files:
        raise RunError(f"{out_root} holds no results yet")
    folders = [_regraded(env, splits, file, out_root) for file in files]
    full = len(splits["val"][: resolved.run.evaluation.sel_env_num or None]) * resolved.run.evaluation.gate_repeats
    values = {
        "env": resolved.env_spec.name,
        "env_version": resolved.env_spec.version,
        "n_rollouts": sum(len(one.old) for one in folders),
        "n_changed": sum(len(list(one.changed)) for one in folders),
        "folders": [_told(one) for one in folders],
        "decisions": list(decisions(out_root, selection_rollouts(folders), rule_of(resolved), full=full)),
    }
    if not dry_run:
        write(out_root / FILE, to_text(values))
    return values


def selection_rollouts(folders: Sequence[Regraded]) -> Mapping[str, tuple[Rollout, ...]]:
    """Return the regraded rollouts of the selection split by the digest of the skill they were made with."""
    found: dict[str, tuple[Rollout, ...]] = {}
    for folder in folders:
        if any(part.startswith("selection_eval") for part in folder.place.split("/")):
            found[folder.skill] = (*found.get(folder.skill, ()), *folder.new)
    return found


def _regraded(env: Regrades, splits: Mapping[Split, Sequence[Task]], file: Path, root: Path) -> Regraded:
    tasks = {task.id: (split, task) for split, found in splits.items() for task in found}
    meta = decoded(META, file.with_name("rollout_meta.json")) if file.with_name("rollout_meta.json").exists() else {}
    old = tuple(stored_rollouts(file, strict=False))
    new: list[Rollout] = []
    faults: list[str] = []
    for one in old:
        try:
            if one.task_id not in tasks:
                raise DataError(f"{one.task_id}: not among the tasks of the env any more")
            new.append(env.regrade(tasks[one.task_id][1], one))
        except DataError as error:
            faults.append(str(error))
            new.append(one)
    split = next((tasks[one.task_id][0] for one in old if one.task_id in tasks), "")
    place = file.parent.relative_to(root).as_posix()
    return Regraded(
        place=place, split=split, skill=meta.get("skill", ""), old=old, new=tuple(new), faults=tuple(faults)
    )


def _told(folder: Regraded) -> dict[str, Any]:
    before, after = score(folder.old), score(folder.new)
    return {
        "folder": folder.place,
        "split": folder.split,
        "n": len(folder.old),
        "hard": [before.hard, after.hard],
        "soft": [before.soft, after.soft],
        "n_errors": [before.n_errors, after.n_errors],
        "changed": [
            {"task_id": a.task_id, "hard": [a.hard, b.hard], "soft": [a.soft, b.soft]} for a, b in folder.changed
        ],
        "not_regraded": list(folder.faults),
    }

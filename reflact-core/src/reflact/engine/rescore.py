"""Grade what a run, or an evaluation, has stored once more, without a model: what another scorer says, and decides."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from reflact.config import Resolved
from reflact.contracts import Regrades
from reflact.engine.evaluate import CONFIG as EVALUATION
from reflact.engine.inputs import build_env, load_tasks, rule_of
from reflact.engine.redecide import decisions
from reflact.engine.resume import FILE as RUN
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


def rescore(
    out_root: Path, plugins: Plugins, *, overrides: Sequence[str] = (), dry_run: bool = False
) -> dict[str, Any]:
    """Return what `rescore.json` holds: for every folder of results the scores as stored and as graded today.

    *out_root* is the folder of a run or of an evaluation; *overrides* are laid over its configuration. `decisions`
    tells for every decision of a run's gate what it would be now, from the same candidates. What is there is left as it
    is; with *dry_run* nothing at all is written. Raises `RunError` when there are no results, `ConfigError` when the
    env cannot grade without asking somebody.
    """
    is_run = (out_root / RUN).is_file()
    if not is_run and not (out_root / EVALUATION).is_file():
        raise RunError(f"{out_root} holds no run and no evaluation (neither {RUN} nor {EVALUATION} is there)")
    resolved = reload(out_root, plugins, overrides=overrides, file=RUN if is_run else EVALUATION)
    env = build_env(resolved, out_root)
    if not isinstance(env, Regrades):
        raise ConfigError(f"env {resolved.env_spec.name!r} cannot grade again what is stored (it has no `regrade`)")
    splits = load_tasks(env)
    files = sorted(out_root.rglob("results.jsonl"))
    if not files:
        raise RunError(f"{out_root} holds no results yet")
    folders = [_regraded(env, splits, file, out_root) for file in files]
    values = {
        "env": resolved.env_spec.name,
        "env_version": resolved.env_spec.version,
        "n_rollouts": sum(len(one.old) for one in folders),
        "n_changed": sum(len(list(one.changed)) for one in folders),
        "folders": [_told(one) for one in folders],
        "decisions": _decisions(out_root, resolved, folders, len(splits["val"])) if is_run else [],
    }
    if not dry_run:
        write(out_root / FILE, to_text(values))
    return values


def _decisions(
    out_root: Path, resolved: Resolved, folders: Sequence[Regraded], n_selection: int
) -> list[dict[str, Any]]:
    evaluation = resolved.run.evaluation
    full = min(n_selection, evaluation.sel_env_num or n_selection) * evaluation.gate_repeats
    return list(decisions(out_root, selection_rollouts(folders), rule_of(resolved), full=full))


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
            new.append(_again(env, tasks[one.task_id][1], one))
        except DataError as error:
            faults.append(str(error))
            new.append(one)
    found = {tasks[one.task_id][0] for one in old if one.task_id in tasks}
    split = "all" if len(found) > 1 else next(iter(found), "")
    place = file.parent.relative_to(root).as_posix()
    return Regraded(
        place=place, split=split, skill=meta.get("skill", ""), old=old, new=tuple(new), faults=tuple(faults)
    )


def _again(env: Regrades, task: Task, stored: Rollout) -> Rollout:
    """Return *stored* graded anew: as it is while its answer is withheld, for the first time once that is known."""
    if not task.scorable:
        return stored
    return env.regrade(task, replace(stored, outcome="ok") if stored.outcome == "ungraded" else stored)


def _told(folder: Regraded) -> dict[str, Any]:
    before, after = score(folder.old), score(folder.new)
    return {
        "folder": folder.place,
        "split": folder.split,
        "n": len(folder.old),
        "hard": [before.hard if before.n else None, after.hard if after.n else None],
        "soft": [before.soft if before.n else None, after.soft if after.n else None],
        "n_errors": [before.n_errors, after.n_errors],
        "changed": [
            {"task_id": a.task_id, "hard": [a.hard, b.hard], "soft": [a.soft, b.soft]} for a, b in folder.changed
        ],
        "not_regraded": list(folder.faults),
    }
